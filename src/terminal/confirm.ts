import { createInterface } from 'node:readline';

/** Asks a question; only yes is yes. Whoever closes the input instead of answering says no. */
export function confirm(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  return new Promise((resolve) => {
    terminal.on('close', () => resolve(false));
    terminal.question(question, (answer) => {
      resolve(/^\s*y(es)?\s*$/i.test(answer));
      terminal.close();
    });
  });
}
