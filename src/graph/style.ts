/** The style sheet of pictures. Pages can override its variables on `.wb-graph`. */
export const graphStyle = `
.wb-graph{--wb-paper:#fff;--wb-node:#fff;--wb-frame:#f6f8fa;--wb-ink:#1f2328;--wb-muted:#59636e;--wb-line:#8b949e;--wb-border:#afb8c1;
--wb-accent:#0969da;--wb-event:#8250df;--wb-wait:#9a6700;--wb-ok:#1a7f37;--wb-error:#cf222e;
--wb-font:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;max-width:100%;height:auto}
@media (prefers-color-scheme:dark){.wb-graph{--wb-paper:#0d1117;--wb-node:#161b22;--wb-frame:#10151c;--wb-ink:#e6edf3;--wb-muted:#9198a1;--wb-line:#6e7681;--wb-border:#484f58;
--wb-accent:#58a6ff;--wb-event:#bc8cff;--wb-wait:#d29922;--wb-ok:#3fb950;--wb-error:#ff7b72}}
.wb-graph text{font-family:var(--wb-font);text-anchor:middle;fill:var(--wb-ink)}
.wb-graph .wb-paper{fill:var(--wb-paper)}
.wb-graph .wb-name{font-size:13px;font-weight:600}
.wb-graph .wb-noun,.wb-graph .wb-detail,.wb-graph .wb-label{font-size:11px;fill:var(--wb-muted)}
.wb-graph .wb-detail{fill:var(--wb-ink)}
.wb-graph .wb-marked{text-anchor:start}
.wb-graph .wb-title{font-size:11px;font-weight:600;fill:var(--wb-muted)}
.wb-graph .wb-shape{fill:var(--wb-node);stroke:var(--wb-border);stroke-width:1.2}
.wb-graph .wb-inner{fill:none;stroke:var(--wb-border)}
.wb-graph .wb-container>.wb-shape{fill:var(--wb-paper)}
.wb-graph .wb-frame{fill:var(--wb-frame);stroke:var(--wb-border);stroke-dasharray:4 3}
.wb-graph .wb-stripe{fill:var(--wb-line)}
.wb-graph .wb-call>.wb-stripe,.wb-graph .wb-subflow>.wb-stripe{fill:var(--wb-accent)}
.wb-graph .wb-event>.wb-stripe,.wb-graph .wb-emit>.wb-stripe{fill:var(--wb-event)}
.wb-graph .wb-wait>.wb-stripe{fill:var(--wb-wait)}
.wb-graph .wb-fail>.wb-stripe{fill:var(--wb-error)}
.wb-graph .wb-fail>.wb-shape{stroke:var(--wb-error)}
.wb-graph .wb-mark{fill:none;stroke:var(--wb-muted);stroke-width:1.1;stroke-linecap:round;stroke-linejoin:round}
.wb-graph .wb-mark-call,.wb-graph .wb-mark-subflow{stroke:var(--wb-accent)}
.wb-graph .wb-mark-event,.wb-graph .wb-mark-emit{stroke:var(--wb-event)}
.wb-graph .wb-mark-wait,.wb-graph .wb-mark-timeout,.wb-graph .wb-mark-retry{stroke:var(--wb-wait)}
.wb-graph .wb-line{fill:none;stroke:var(--wb-line);stroke-width:1.3}
.wb-graph .wb-arrow{fill:var(--wb-line)}
.wb-graph .wb-label-box{fill:var(--wb-paper);fill-opacity:.9}
.wb-graph .wb-group .wb-label-box{fill:var(--wb-frame)}
.wb-graph .wb-error>.wb-line{stroke:var(--wb-error);stroke-dasharray:5 3}
.wb-graph .wb-error>.wb-arrow{fill:var(--wb-error)}
.wb-graph .wb-error>.wb-label{fill:var(--wb-error)}
.wb-graph .wb-timeout>.wb-line{stroke:var(--wb-wait);stroke-dasharray:5 3}
.wb-graph .wb-timeout>.wb-arrow{fill:var(--wb-wait)}
.wb-graph .wb-timeout>.wb-label{fill:var(--wb-wait)}
.wb-graph .is-unreached>.wb-line,.wb-graph .is-unreached>.wb-shape{stroke-dasharray:2 3}
.wb-graph .is-unreached>text,.wb-graph .is-unreached>.wb-line,.wb-graph .is-unreached>.wb-arrow,.wb-graph .is-unreached>.wb-mark,.wb-graph .is-unreached>.wb-stripe{opacity:.5}
.wb-graph .is-taken>.wb-shape{stroke:var(--wb-ok);stroke-width:2.2}
.wb-graph .is-taken>.wb-inner{stroke:var(--wb-ok)}
.wb-graph .is-taken>.wb-line{stroke:var(--wb-ok);stroke-width:2.4}
.wb-graph .is-taken>.wb-arrow{fill:var(--wb-ok)}
.wb-graph .is-current>.wb-shape{stroke:var(--wb-accent);stroke-width:3}
.wb-graph .is-failed>.wb-shape{stroke:var(--wb-error);stroke-width:3}
@media print{.wb-graph{--wb-paper:#fff}}
`;
