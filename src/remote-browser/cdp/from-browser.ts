import { type Envelope, readdress, readEnvelope } from './envelope.ts'
import type { Member } from './session-tree.ts'
import { deliver, dismiss, type Switchboard } from './switchboard.ts'
import { readTargetEvent, withoutOtherBrowsers } from './targets.ts'

/** Routes a message of the browser to its client. */
export function route(board: Switchboard, text: string): void {
  const envelope = readEnvelope(text)
  if (envelope.id !== undefined) answer(board, envelope.id, envelope)
  else if (envelope.method !== undefined) announce(board, envelope.method, envelope)
}

function answer(board: Switchboard, number: number, envelope: Envelope): void {
  const found = board.calls.get(number)
  board.calls.delete(number)
  if (found?.settle) found.settle(JSON.parse(envelope.text))
  const { member, id, method } = found ?? {}
  if (!member || id === undefined) return
  member.openCalls -= 1
  const hidesSession = envelope.sessionId === member.rootSession
  const text = readdress(envelope, { id, hidesSession })
  deliver(board, member, method === 'Target.getTargets' ? withoutOtherBrowsers(text, member) : text)
}

function announce(board: Switchboard, method: string, envelope: Envelope): void {
  const { tree } = board
  const member = envelope.sessionId === undefined ? undefined : tree.memberOf(envelope.sessionId)
  if (!method.startsWith('Target.')) {
    if (member) pushEvent(board, member, envelope)
    return
  }
  const event = readTargetEvent(envelope)
  if (event.attached) tree.attach(envelope.sessionId, event.attached)
  if (member && !event.isOfBrowser(member)) pushEvent(board, member, envelope)
  if (event.detached !== undefined) dismiss(board, tree.detach(event.detached))
}

function pushEvent(board: Switchboard, member: Member, envelope: Envelope): void {
  const hidesSession = envelope.sessionId === member.rootSession
  deliver(board, member, readdress(envelope, { hidesSession }))
}
