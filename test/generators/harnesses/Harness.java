import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.*;
import org.openapitools.client.ApiClient;

/** Reads each recorded reply into the generated type and writes it again: {@code Harness <manifest> <out>}. */
public class Harness {
    public static void main(String[] args) throws Exception {
        ObjectMapper mapper = ApiClient.createDefaultObjectMapper();
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] fields = line.split("\t");
            Class<?> model = fields[2].equals("any")
                ? Object.class
                : Class.forName("org.openapitools.client.model." + fields[1]);
            var type = fields[2].equals("list")
                ? mapper.getTypeFactory().constructCollectionType(java.util.List.class, model)
                : mapper.getTypeFactory().constructType(model);
            Object value = mapper.readValue(Path.of(fields[0]).toFile(), type);
            mapper.writeValue(Path.of(args[1], Path.of(fields[0]).getFileName().toString()).toFile(), value);
        }
    }
}
