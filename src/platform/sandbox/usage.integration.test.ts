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
    expect(usageOf(child.pid ?? 0, 1000).files).toBe(0)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    rmSync(folder, { recursive: true })
  }
})

it('counts what waits in connections where it may lead beyond the limit', async () => {
  // A program that connects to itself, writes into it and reads nothing.
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
    const within = usageOf(pid, 100_000).megabytes
    // Of the whole machine: the child is in its network.
    expect(usageOf(pid, 0).megabytes).toBeGreaterThan(within + 1)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  }
})
