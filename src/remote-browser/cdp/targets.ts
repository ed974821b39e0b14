import type { Envelope } from './envelope.ts'
import { isObject } from './read-message.ts'
import type { Attached, Member } from './session-tree.ts'

export interface TargetEvent {
  attached?: Attached
  /** The session that ended. */
  detached?: string
  /** It reports a browser target of another client. */
  isOfBrowser(member: Member): boolean
}

/** What an event of the `Target` domain means for the routing of sessions. */
export function readTargetEvent({ method, text }: Envelope): TargetEvent {
  const parsed: unknown = JSON.parse(text)
  const params = isObject(parsed) && isObject(parsed.params) ? parsed.params : {}
  const { sessionId, targetInfo } = params
  const isOfBrowser = (member: Member) => isOtherBrowser(targetInfo, member)
  if (typeof sessionId !== 'string') return { isOfBrowser }
  if (method === 'Target.detachedFromTarget') return { detached: sessionId, isOfBrowser }
  if (method !== 'Target.attachedToTarget' || !isObject(targetInfo)) return { isOfBrowser }
  const isBrowser = targetInfo.type === 'browser'
  return { attached: { sessionId, targetId: String(targetInfo.targetId), isBrowser }, isOfBrowser }
}

/** The answer to `Target.getTargets` as if the client were the only one. */
export function withoutOtherBrowsers(text: string, member: Member): string {
  const parsed: unknown = JSON.parse(text)
  if (!isObject(parsed) || !isObject(parsed.result) || !Array.isArray(parsed.result.targetInfos)) return text
  const targetInfos = parsed.result.targetInfos.filter((target) => !isOtherBrowser(target, member))
  return JSON.stringify({ ...parsed, result: { ...parsed.result, targetInfos } })
}

function isOtherBrowser(target: unknown, member: Member): boolean {
  if (!isObject(target) || target.type !== 'browser') return false
  return !member.browserTargets.has(String(target.targetId))
}
