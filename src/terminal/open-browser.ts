import { spawn } from 'node:child_process';

/** Opens an http address in the browser of whoever sits here; false where there is no screen or no such program. */
export async function openBrowser(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const hasScreen = process.platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  if (!hasScreen || environment['SSH_CONNECTION']) return false;
  const programs: Readonly<Record<string, readonly string[]>> = { darwin: ['open'], win32: ['explorer.exe'] };
  const [program = '', ...words] = programs[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
