import { AppError } from '../../platform/errors.ts'

export interface UnfinishedLimits {
  /** MAX_UNFINISHED_MB in bytes: limit of all bodies together. A team, or an address without a key, gets half of it. */
  maxBytes: number
  stallMs: number
}

export type BudgetedBody = ReturnType<RequestBudget['open']>

interface Entry {
  owner: Owner
  onRejected(error: AppError): void
  /** Times of the first check, and of the last check at which new bytes had arrived; 0 before the first check. */
  openedAt: number
  progressedAt: number
  received: number
  receivedAtLastCheck: number
  held: number
  isReceiving: boolean
  waiting: { bytes: number; until: number; settle(error?: AppError): void } | undefined
}

interface Owner {
  name: string
  held: number
  entries: Set<Entry>
}

/** Minimum average rate of a body; slower ones are rejected. 50 MB may take three and a half hours. */
const minBytesPerSecond = 4096

/** At the limit, the slowest body of the largest owner is rejected, so unfinished bodies cannot block others. */
export class RequestBudget {
  readonly #limits: UnfinishedLimits
  readonly #owners = new Map<string, Owner>()
  readonly #waiting = new Set<Entry>()
  #total = 0
  #bodies = 0

  constructor(limits: UnfinishedLimits) {
    this.#limits = limits
  }

  open(name: string, onRejected: (error: AppError) => void) {
    const owner = this.#ownerOf(name)
    const entry: Entry = {
      ...{ owner, onRejected, openedAt: 0, progressedAt: 0, received: 0, receivedAtLastCheck: 0 },
      ...{ held: 0, isReceiving: true, waiting: undefined },
    }
    owner.entries.add(entry)
    this.#bodies += 1
    return {
      /** Resolves when the bytes are reserved, rejects if that takes too long. Do not read the body earlier. */
      reserve: (bytes: number) => this.#reserve(entry, bytes),
      add: (bytes: number) => this.#add(entry, bytes),
      /** Marks the body as complete. Its bytes stay counted until they are released. */
      complete: () => this.#complete(entry),
      release: () => this.#release(entry),
    }
  }

  counts(): { bytes: number; bodies: number } {
    return { bytes: this.#total, bodies: this.#bodies }
  }

  rejectSlow(now = performance.now()): void {
    const { maxBytes, stallMs } = this.#limits
    for (const entry of this.#waiting)
      if (entry.waiting && now >= entry.waiting.until)
        this.#reject(entry, createShareError(entry.owner, maxBytes))
    for (const owner of this.#owners.values()) {
      for (const entry of owner.entries)
        if (isTooSlow(entry, now, stallMs)) this.#reject(entry, createTooSlowError(stallMs))
      // Owners are removed here, not immediately, because most of them send another request soon.
      if (owner.entries.size === 0) this.#owners.delete(owner.name)
    }
    this.#serveWaiting()
  }

  #ownerOf(name: string): Owner {
    const existing = this.#owners.get(name)
    if (existing) return existing
    const owner = { name, held: 0, entries: new Set<Entry>() }
    this.#owners.set(name, owner)
    return owner
  }

  async #reserve(entry: Entry, bytes: number): Promise<void> {
    if (!entry.owner.entries.has(entry)) throw new AppError('MALFORMED_REQUEST')
    const mustQueue = [...this.#waiting].some(({ owner }) => owner === entry.owner)
    if (mustQueue || this.#hold(entry, bytes)) await this.#waitFor(entry, bytes)
  }

  #add(entry: Entry, bytes: number): void {
    if (!entry.isReceiving) return
    entry.received += bytes
    const error = entry.received > entry.held ? this.#hold(entry, entry.received) : undefined
    if (error) this.#reject(entry, error)
  }

  #complete(entry: Entry): void {
    if (!entry.isReceiving) return
    entry.isReceiving = false
    this.#hold(entry, entry.received)
    this.#serveWaiting()
  }

  #release(entry: Entry): void {
    entry.waiting?.settle(new AppError('MALFORMED_REQUEST'))
    if (this.#drop(entry)) this.#serveWaiting()
  }

  #hold(entry: Entry, bytes: number): AppError | undefined {
    const { maxBytes } = this.#limits
    const { owner } = entry
    const additional = bytes - entry.held
    if (owner.held + additional > maxBytes / 2) return createShareError(owner, maxBytes)
    while (this.#total + additional > maxBytes) {
      const victim = slowestOfLargest(this.#owners.values(), owner.held + additional)
      if (!victim) return createTotalError(maxBytes)
      this.#reject(victim, createTotalError(maxBytes))
    }
    owner.held += additional
    this.#total += additional
    entry.held = bytes
    return undefined
  }

  #drop(entry: Entry): boolean {
    const { owner } = entry
    if (!owner.entries.delete(entry)) return false
    this.#waiting.delete(entry)
    owner.held -= entry.held
    this.#total -= entry.held
    this.#bodies -= 1
    entry.held = 0
    entry.isReceiving = false
    return true
  }

  #reject(entry: Entry, error: AppError): void {
    if (!this.#drop(entry)) return
    entry.waiting?.settle(error)
    entry.onRejected(error)
  }

  /** Serves each owner in the order of its uploads, so that small uploads cannot delay a large upload indefinitely. */
  #serveWaiting(): void {
    if (this.#waiting.size === 0) return
    const blocked = new Set<Owner>()
    for (const entry of this.#waiting) {
      const { owner, waiting } = entry
      if (!waiting || blocked.has(owner)) continue
      if (this.#hold(entry, waiting.bytes)) blocked.add(owner)
      else waiting.settle()
    }
  }

  /** Queues a reservation. The body is not read during the wait, so this time does not count as slow. */
  #waitFor(entry: Entry, bytes: number): Promise<void> {
    entry.isReceiving = false
    this.#waiting.add(entry)
    return new Promise((resolve, reject) => {
      const settle = (error?: AppError) => {
        this.#waiting.delete(entry)
        entry.waiting = undefined
        if (error) return reject(error)
        entry.isReceiving = true
        entry.openedAt = 0
        resolve()
      }
      entry.waiting = { bytes, until: performance.now() + this.#limits.stallMs, settle }
    })
  }
}

function isTooSlow(entry: Entry, now: number, stallMs: number): boolean {
  if (!entry.isReceiving) return false
  if (entry.openedAt === 0) entry.openedAt = entry.progressedAt = now
  if (entry.received !== entry.receivedAtLastCheck) entry.progressedAt = now
  entry.receivedAtLastCheck = entry.received
  const { progressedAt, openedAt, received } = entry
  return now - progressedAt >= stallMs || now - openedAt > stallMs + (received / minBytesPerSecond) * 1000
}

/** Considers only owners that hold more bytes than the owner that needs capacity. */
function slowestOfLargest(owners: Iterable<Owner>, heldByOther: number): Entry | undefined {
  const now = performance.now()
  const rateOf = ({ received, openedAt }: Entry) => received / Math.max(1000, now - (openedAt || now))
  let slowest: Entry | undefined
  for (const owner of owners) {
    if (owner.held <= heldByOther) continue
    for (const entry of owner.entries) {
      if (!entry.isReceiving || entry.held === 0) continue
      const isWorse =
        slowest === undefined ||
        owner.held > slowest.owner.held ||
        (owner === slowest.owner && rateOf(entry) < rateOf(slowest))
      if (isWorse) slowest = entry
    }
  }
  return slowest
}

const inMegabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)

function createShareError({ name }: Owner, maxBytes: number): AppError {
  const [total, most] = [inMegabytes(maxBytes), inMegabytes(maxBytes / 2)]
  const subject = name.startsWith('address ') ? 'this address' : 'this team'
  const message = `The unfinished requests and uploads of ${subject} hold ${most} MB, its half of MAX_UNFINISHED_MB (${total}). Wait until some of them are answered, or send fewer at once.`
  return new AppError('TOO_MANY_UNFINISHED_REQUESTS', detailOf(most), { message })
}

function createTotalError(maxBytes: number): AppError {
  return new AppError('TOO_MANY_UNFINISHED_REQUESTS', detailOf(inMegabytes(maxBytes)))
}

const detailOf = (limit: number) => ({ bound: 'MAX_UNFINISHED_MB', most: limit, retryAfter: 5 })

function createTooSlowError(stallMs: number): AppError {
  const seconds = Math.round(stallMs / 1000)
  const message = `The body did not arrive in time: nothing came for ${seconds} s (REQUEST_STALL_SECONDS), or less than 4 KB per second. Send the request again.`
  return new AppError('REQUEST_TIMEOUT', { bound: 'REQUEST_STALL_SECONDS', most: seconds }, { message })
}
