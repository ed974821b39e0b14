import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { measureUsage } from './usage.ts'

it('does not count the files of this machine while a sandbox is being set up', async () => {
  const folder = mkdtempSync('/tmp/winnow-usage-')
  // The child is like bubblewrap before it has changed its root: its own child sees the folders of the machine.
  const child = spawn('bash', ['-c', 'sleep 60 & echo ready; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  try {
    await once(child.stdout, 'data')
    expect(measureUsage(child.pid ?? 0, 1000).files).toBe(0)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    rmSync(folder, { recursive: true })
  }
})

it('counts data that waits in connections if it may exceed the limit', async () => {
  // The program connects to itself, writes to the connection and does not read.
  const script = `
    const net = require('node:net')
    const server = net.createServer((socket) => socket.pause()).listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1')
      setInterval(() => {
        if (socket.writableLength > 0) console.log('full')
        else socket.write(Buffer.alloc(1e6))
      }, 50)
    })`
  const child = spawn('bash', ['-c', '"$0" -e "$1" & wait', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  try {
    await once(child.stdout, 'data')
    const pid = child.pid ?? 0
    const withoutQueues = measureUsage(pid, 100_000).megabytes
    // The child shares the network of the machine, so the connections of the entire machine are counted.
    expect(measureUsage(pid, 0).megabytes).toBeGreaterThan(withoutQueues + 1)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  }
})
