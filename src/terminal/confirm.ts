import { createInterface } from 'node:readline';

/** Asks a question. Only "y" or "yes" confirms; closing the input refuses. */
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
