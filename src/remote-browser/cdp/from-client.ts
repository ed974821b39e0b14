import { judgeMessage } from './allow-list.ts'
import { type ClientMessage, errorAnswer, readMessage, resultAnswer } from './read-message.ts'
import type { Member } from './session-tree.ts'
import { call, deliver, leave, type Switchboard } from './switchboard.ts'

/** Calls of one client that the browser has not answered. */
const mostOpenCalls = 20_000
/** Chromium has no event for this, so the call is observed on its way to the browser. */
const frontCalls = new Set(['Page.bringToFront', 'Target.activateTarget'])

/** A message with its target session. */
type Addressed = ClientMessage & { sessionId: string }

/** Handles a message of a client: forwards it to the browser, or answers it. False if the browser does not keep up. */
export function receive(board: Switchboard, member: Member, text: string): boolean {
  const read = readMessage(text)
  if ('error' in read) return refuse(board, member, read.error)
  const { message } = read
  const sessionId = message.sessionId ?? member.rootSession
  if (!board.tree.isOf(member, sessionId) || message.sessionId === member.rootSession) {
    const answer = errorAnswer({ id: message.id }, -32001, 'Session with given id not found.')
    return refuse(board, member, answer)
  }
  if (member.openCalls >= mostOpenCalls) {
    const answer = errorAnswer(message, -32000, `${mostOpenCalls} calls already wait for an answer`)
    return refuse(board, member, answer)
  }
  const isGuest = board.members.get(member)?.kind === 'guest'
  return isGuest ? judge(board, member, message) : pass(board, member, { ...message, sessionId })
}

/** Answers and counts messages that are not forwarded. */
function refuse(board: Switchboard, member: Member, answer: string): boolean {
  deliver(board, member, answer)
  const client = board.members.get(member)
  if (client?.kind === 'guest' && board.pace.refuse() === 'flood') {
    leave(board, member)
    client.closed('The session ended because its clients kept sending forbidden messages.')
    board.hooks.onFlood()
  }
  return true
}

function judge(board: Switchboard, member: Member, message: ClientMessage): boolean {
  // A passive viewer acknowledges frames automatically, which does not count as activity.
  if (message.method !== 'Page.screencastFrameAck') board.hooks.onActivity()
  const verdict = judgeMessage(message.method, message.params)
  if (verdict.kind === 'refuse') {
    const reason = `${message.method.slice(0, 100)} is refused: ${verdict.reason}`
    return refuse(board, member, errorAnswer(message, -32000, reason))
  }
  if (verdict.kind === 'pass') {
    const { sessionId = member.rootSession } = message
    return pass(board, member, { ...message, params: verdict.params, sessionId })
  }
  deliver(board, member, resultAnswer(message, {}))
  board.hooks.onBrowserClose()
  return true
}

function pass(board: Switchboard, member: Member, message: Addressed): boolean {
  const isWritten = callFor(board, member, message)
  const { method, params, sessionId } = message
  const front = method === 'Page.bringToFront' ? board.tree.targetOf(sessionId) : params.targetId
  if (frontCalls.has(method) && typeof front === 'string') {
    for (const listener of board.activations) listener(front)
  }
  return isWritten
}

function callFor(board: Switchboard, member: Member, { id, method, params, sessionId }: Addressed): boolean {
  try {
    const isWritten = call(board, { member, id, method }, { params, sessionId })
    member.openCalls += 1
    return isWritten
  } catch {
    // Nesting that can be parsed but not serialised; Chromium would not accept a hundredth of it.
    return refuse(board, member, errorAnswer({ id }, -32700, 'The message is nested too deeply'))
  }
}
