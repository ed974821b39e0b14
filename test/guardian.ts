/** Separate program: ends the processes and removes the folders of a test run after its end, however it ended. */
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const processes = new Set<number>()
const folders = new Set<string>()

// Format of a line: `start 123`, `end 123`, `make /folder` or `remove /folder`.
for await (const line of createInterface(process.stdin)) {
  const [action = '', name = ''] = line.split(/ (.*)/)
  if (action === 'start') processes.add(Number(name))
  if (action === 'end') processes.delete(Number(name))
  if (action === 'make') folders.add(name)
  if (action === 'remove') folders.delete(name)
}

signalAll('SIGTERM')
for (let waited = 0; waited < 8000 && signalAll(0); waited += 100) await sleep(100)
signalAll('SIGKILL')
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

/** Returns true if at least one process received the signal. */
function signalAll(signal: NodeJS.Signals | 0): boolean {
  const received = [...processes].filter((id) => {
    try {
      return process.kill(id, signal)
    } catch {
      return false
    }
  })
  return received.length > 0
}
