import com.dashjoin.jsonata.Jsonata;
import com.dashjoin.jsonata.json.Json;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads {"expression", "bindings", "result"} from lines of standard input, where a failure has no result, and writes
 * "same" or what this engine gives for each.
 */
public class Evaluate {
  static final Jsonata.JFunction parse =
      new Jsonata.JFunction((input, args) -> args.get(0) == null ? null : read((String) args.get(0)), "<s-:x>");

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      Map<?, ?> pair = (Map<?, ?>) Json.parseJson(line);
      System.out.println(verdict(pair).replaceAll("\\s+", " "));
    }
  }

  static String verdict(Map<?, ?> pair) {
    boolean hasResult = pair.containsKey("result");
    try {
      Jsonata expression = Jsonata.jsonata((String) pair.get("expression"));
      Jsonata.Frame frame = expression.createFrame();
      frame.setRuntimeBounds(30000, 2000);
      for (Map.Entry<?, ?> each : ((Map<?, ?>) pair.get("bindings")).entrySet())
        frame.bind((String) each.getKey(), withNull(each.getValue()));
      frame.bind("parse", parse);
      Object value = expression.evaluate(null, frame);
      boolean isSame = hasResult ? equal(pair.get("result"), value) : value == null;
      return isSame ? "same" : "gives " + value;
    } catch (Throwable error) {
      return hasResult ? "fails: " + error : "same";
    }
  }

  static Object read(String text) {
    return withNull(Json.parseJson(text));
  }

  /** JSON null is a value of its own in this engine. */
  static Object withNull(Object value) {
    if (value == null) return Jsonata.NULL_VALUE;
    if (value instanceof List) {
      List<Object> items = new ArrayList<>();
      for (Object each : (List<?>) value) items.add(withNull(each));
      return items;
    }
    if (!(value instanceof Map)) return value;
    Map<Object, Object> members = new LinkedHashMap<>();
    for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) members.put(each.getKey(), withNull(each.getValue()));
    return members;
  }

  static boolean equal(Object left, Object right) {
    if (left == Jsonata.NULL_VALUE) left = null;
    if (right == Jsonata.NULL_VALUE) right = null;
    if (left == null || right == null) return left == right;
    if (left instanceof Number && right instanceof Number)
      return ((Number) left).doubleValue() == ((Number) right).doubleValue();
    if (left instanceof List && right instanceof List) {
      List<?> a = (List<?>) left, b = (List<?>) right;
      if (a.size() != b.size()) return false;
      for (int i = 0; i < a.size(); i++) if (!equal(a.get(i), b.get(i))) return false;
      return true;
    }
    if (left instanceof Map && right instanceof Map) {
      Map<?, ?> a = (Map<?, ?>) left, b = (Map<?, ?>) right;
      if (!a.keySet().equals(b.keySet())) return false;
      for (Object key : a.keySet()) if (!equal(a.get(key), b.get(key))) return false;
      return true;
    }
    return left.equals(right);
  }
}
