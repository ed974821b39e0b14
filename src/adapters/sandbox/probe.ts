import type { Sandbox } from '../../ports/sandbox.ts'

/** Tests whether the sandbox works on this machine, with everything that a real program needs; returns the reason if not. */
export async function probeSandbox(sandbox: Sandbox): Promise<string | undefined> {
  try {
    const running = await sandbox.start({
      command: ['true'],
      environment: { PATH: '/usr/bin:/bin' },
      readable: [],
      ports: [{ port: 9222, mostConnections: 1, onConnection: (socket) => socket.destroy() }],
      channels: 1,
      limits: { megabytes: 200, processMegabytes: 1000, threads: 64, filesMegabytes: 1, files: 100 },
      nestsSandboxes: false,
    })
    running.stderr.resume()
    const { exitCode } = await running.ended
    return exitCode === 0 ? undefined : `a test program exited with ${exitCode}`
  } catch (cause) {
    return reasonIn(cause)
  }
}

function reasonIn(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const reason = 'detail' in cause ? (cause.detail as { reason?: unknown }).reason : undefined
  return typeof reason === 'string' && reason !== '' ? reason : cause.message
}
