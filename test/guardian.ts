/** A program of its own: ends the processes and removes the folders of a test run when that has ended, however it did. */
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const processes = new Set<number>()
const folders = new Set<string>()

// One line each: `start 123`, `end 123`, `make /folder`, `remove /folder`.
for await (const line of createInterface(process.stdin)) {
  const [what = '', name = ''] = line.split(/ (.*)/)
  if (what === 'start') processes.add(Number(name))
  if (what === 'end') processes.delete(Number(name))
  if (what === 'make') folders.add(name)
  if (what === 'remove') folders.delete(name)
}

tellAll('SIGTERM')
for (let waited = 0; waited < 8000 && tellAll(0); waited += 100) await sleep(100)
tellAll('SIGKILL')
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

/** Whether anybody was there to hear it. */
function tellAll(signal: NodeJS.Signals | 0): boolean {
  const heard = [...processes].filter((id) => {
    try {
      return process.kill(id, signal)
    } catch {
      return false
    }
  })
  return heard.length > 0
}
