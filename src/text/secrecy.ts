/** Whether the value of an HTTP header is usually a secret. */
export const isSecretHeader = (name: string): boolean =>
  /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?key|token|secret|password)$/i.test(name);

/** Whether a server without TLS, as a host or an `http` URL, is on this machine. */
export const isLocalServer = (server: string): boolean =>
  /^(?:http:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(server);
