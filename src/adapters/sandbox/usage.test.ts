import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { usageOf } from './usage.ts'

it('does not count the files of this machine while a sandbox is being set up', async () => {
  const folder = mkdtempSync('/tmp/winnow-usage-')
  // Like bubblewrap before it has changed its root: a program with a child that sees the folders of the machine.
  const child = spawn('bash', ['-c', 'sleep 60 & echo ready; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  try {
    await once(child.stdout, 'data')
    expect(usageOf(child.pid ?? 0).files).toBe(0)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    rmSync(folder, { recursive: true })
  }
})
