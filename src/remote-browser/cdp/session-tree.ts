export interface Member {
  /** Its own session, which is hidden from it: messages without a session go there. */
  rootSession: string
  /** Browser targets it has attached to; those of other clients are hidden from it. */
  browserTargets: Set<string>
  openCalls: number
}

export interface Attached {
  sessionId: string
  targetId: string
  isBrowser: boolean
}

export interface SessionTree {
  addMember(rootSession: string): Member
  /** A session started, requested by another one or by the switch itself. */
  attach(parent: string | undefined, attached: Attached): void
  /** A session and its descendants ended; returns the member whose own session it was. */
  detach(sessionId: string): Member | undefined
  memberOf(sessionId: string): Member | undefined
  targetOf(sessionId: string): string | undefined
  isOf(member: Member, sessionId: string): boolean
}

interface Session {
  member?: Member
  parent?: Session
  children: Set<string>
  attached?: Attached
}

/** The parent of each session, up to that of a client. */
export function sessionTree(): SessionTree {
  const sessions = new Map<string, Session>()

  function remove(sessionId: string): void {
    const session = sessions.get(sessionId)
    if (!session) return
    sessions.delete(sessionId)
    session.parent?.children.delete(sessionId)
    for (const child of session.children) remove(child)
  }

  return {
    addMember(rootSession) {
      const session = sessions.get(rootSession) ?? { children: new Set() }
      const browserTargets = session.attached?.isBrowser ? [session.attached.targetId] : []
      const member = { rootSession, browserTargets: new Set(browserTargets), openCalls: 0 }
      session.member = member
      sessions.set(rootSession, session)
      return member
    },
    attach(parentId, attached) {
      const parent = parentId === undefined ? undefined : sessions.get(parentId)
      // Of a client that has disconnected in the meantime.
      if (parentId !== undefined && !parent) return
      const member = parent?.member
      if (attached.isBrowser) member?.browserTargets.add(attached.targetId)
      parent?.children.add(attached.sessionId)
      sessions.set(attached.sessionId, {
        attached,
        children: new Set(),
        ...(member ? { member } : {}),
        ...(parent ? { parent } : {}),
      })
    },
    detach(sessionId) {
      const member = sessions.get(sessionId)?.member
      remove(sessionId)
      return member?.rootSession === sessionId ? member : undefined
    },
    memberOf: (sessionId) => sessions.get(sessionId)?.member,
    targetOf: (sessionId) => sessions.get(sessionId)?.attached?.targetId,
    isOf: (member, sessionId) => sessions.get(sessionId)?.member === member,
  }
}
