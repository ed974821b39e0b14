import { serveProcess } from '../src/platform/child/serve-requests.ts'

/** Requests that the script for tests of child processes supports. */
export type ScriptRequest =
  | { kind: 'echo'; value: string }
  | { kind: 'wait'; ms: number }
  | { kind: 'block' }
  | { kind: 'exit' }
  | { kind: 'throw'; message: string }
  | { kind: 'hoard' }
  | { kind: 'large'; bytes: number }
  | { kind: 'ask-back' }
  | { kind: 'environment' }

let requests = 0

serveProcess(async (request: ScriptRequest, { notify, onNote }) => {
  requests += 1
  const facts = { pid: process.pid, requests }
  if (request.kind === 'echo') return { ...facts, value: request.value }
  if (request.kind === 'exit') process.exit(1)
  if (request.kind === 'throw') throw new Error(request.message)
  if (request.kind === 'large') return { ...facts, value: 'x'.repeat(request.bytes) }
  if (request.kind === 'environment') return { ...facts, value: Object.keys(process.env).sort().join(' ') }
  if (request.kind === 'block') for (;;);
  if (request.kind === 'hoard') for (const hoard: object[] = []; ; ) hoard.push(Array(1000).fill({}))
  if (request.kind === 'ask-back') {
    const answered = new Promise((resolve) => onNote(resolve))
    notify('question')
    return { ...facts, value: await answered }
  }
  notify('waiting')
  await new Promise((resolve) => setTimeout(resolve, request.ms))
  return { ...facts, value: 'waited' }
})
