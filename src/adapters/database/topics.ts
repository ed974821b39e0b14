import { EventEmitter } from 'node:events'
import { splitOnce } from '../../base/split-once.ts'

interface TopicNeeds {
  hear(channel: string, heard: (message: string) => void): void
  notify(channel: string, message: string): void
}

/** Subscribers say again and again that they are there: one whose process has died is forgotten after a while. */
const announceEvery = 20_000
const wantedFor = 60_000
/** The announcement comes back to its sender by the way that it takes to everybody else. */
const longestWait = 2000

/**
 * Messages for those who want them, over the channel that wakes processes. Each process knows which topics somebody
 * listens to anywhere, so that the others cost nothing.
 */
export function topicsOver({ hear, notify }: TopicNeeds) {
  const local = new EventEmitter().setMaxListeners(0)
  const wanted = new Map<string, number>()
  const own = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const announce = () => {
    for (const topic of own.keys()) notify('wanted', topic)
  }
  hear('topic', (payload) => {
    const [topic, message] = splitOnce(payload)
    local.emit(`message ${topic}`, message)
  })
  hear('wanted', (topic) => {
    const now = performance.now()
    for (const [known, until] of wanted) if (until < now) wanted.delete(known)
    wanted.set(topic, now + wantedFor)
    local.emit(`wanted ${topic}`)
  })
  // A process that has just begun to listen asks who is there.
  hear('roll-call', announce)

  function leave(topic: string): void {
    const rest = (own.get(topic) ?? 1) - 1
    if (rest > 0) own.set(topic, rest)
    else own.delete(topic)
    if (own.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    async subscribe(topic: string, heard: (message: string) => void): Promise<() => void> {
      local.on(`message ${topic}`, heard)
      own.set(topic, (own.get(topic) ?? 0) + 1)
      timer ??= setInterval(announce, announceEvery).unref()
      const known = Promise.withResolvers<void>()
      local.once(`wanted ${topic}`, known.resolve)
      const late = setTimeout(known.resolve, longestWait)
      notify('wanted', topic)
      await known.promise
      clearTimeout(late)
      local.off(`wanted ${topic}`, known.resolve)
      return () => {
        local.off(`message ${topic}`, heard)
        leave(topic)
      }
    },
    publish(topic: string, message: () => string): void {
      if ((wanted.get(topic) ?? 0) > performance.now()) notify('topic', `${topic} ${message()}`)
    },
    close: () => clearInterval(timer),
  }
}
