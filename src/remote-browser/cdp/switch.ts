import type { Readable, Writable } from 'node:stream'
import { route } from './from-browser.ts'
import { receive } from './from-client.ts'
import { messagePace } from './message-pace.ts'
import { browserPipe } from './pipe.ts'
import { sessionTree } from './session-tree.ts'
import {
  type Answer,
  call,
  end,
  type JoiningClient,
  leave,
  type Switchboard,
  type SwitchHooks,
} from './switchboard.ts'

export type { JoiningClient, SwitchHooks } from './switchboard.ts'

export interface CdpSwitch {
  /** Adds a client of the browser; resolves when it has its own session. */
  join(client: JoiningClient): Promise<CdpClient>
  /** Calls back with a page whenever a client brings it to the front; returns a function that stops it. */
  onActivated(listener: (targetId: string) => void): () => void
}

export interface CdpClient {
  /** False if the browser does not keep up, or clients call faster than allowed: wait for `drained` before the next one. */
  send(message: string): boolean
  drained(): Promise<void>
  leave(): void
}

const mostGuests = 32

/**
 * One DevTools pipe, many clients. Each has its own browser-level session, and only sees sessions that descend
 * from it; call ids are rewritten. `pipe` is fd 3 and 4 of Chromium: messages that end in a zero byte.
 */
export function cdpSwitch(
  pipe: { toBrowser: Writable; fromBrowser: Readable },
  hooks: SwitchHooks,
): CdpSwitch {
  const board: Switchboard = {
    hooks,
    pace: messagePace(),
    tree: sessionTree(),
    ...{ members: new Map(), guests: 0, calls: new Map(), lastCall: 0 },
    ...{ activations: new Set(), hasEnded: false },
    browser: browserPipe(pipe, { onMessage: (text) => route(board, text), onEnd: () => end(board) }),
  }
  return {
    join: (client) => join(board, client),
    onActivated(listener) {
      board.activations.add(listener)
      return () => board.activations.delete(listener)
    },
  }
}

function join(board: Switchboard, client: JoiningClient): Promise<CdpClient> {
  if (board.hasEnded) return Promise.reject(new Error('The browser has ended'))
  const isGuest = client.kind === 'guest'
  if (isGuest && board.guests >= mostGuests) {
    return Promise.reject(new Error(`The browser already has ${mostGuests} clients`))
  }
  if (isGuest) board.guests += 1
  const { targetId } = client
  return new Promise((resolve, reject) => {
    // Not awaited: the client must be known before the next message is routed.
    const settle = ({ result, error }: Answer) => {
      if (result?.sessionId !== undefined) return resolve(enter(board, client, result.sessionId))
      if (isGuest) board.guests -= 1
      reject(new Error(error?.message ?? 'The browser has ended'))
    }
    const [method, params] =
      targetId === undefined
        ? ['Target.attachToBrowserTarget', {}]
        : ['Target.attachToTarget', { targetId, flatten: true }]
    call(board, { id: 0, method, settle }, { params })
  })
}

function enter(board: Switchboard, client: JoiningClient, sessionId: string): CdpClient {
  const { browser, pace, members } = board
  const member = board.tree.addMember(sessionId)
  members.set(member, client)
  return {
    send(text) {
      if (!members.has(member)) return true
      const isInTime = client.kind === 'service' || pace.take(text.length)
      return receive(board, member, text) && isInTime
    },
    async drained() {
      await browser.drained()
      if (client.kind === 'guest') await pace.rested()
    },
    leave: () => leave(board, member),
  }
}
