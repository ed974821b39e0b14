export interface Activity {
  /** Registers work and returns the function that removes it. Long-running work, such as a socket, has no label. */
  begin(label?: string): () => void
}

const maxLabelBytes = 190
const slotBytes = maxLabelBytes + 2
const maxSlots = 64
const headerBytes = 16

export const activityCell = { inProgress: 0, answeredProbe: 1, threadRuns: 2 } as const

/** Creates an activity registry in shared memory, which another thread can read while this one is blocked. */
export function createSharedActivity() {
  const memory = new SharedArrayBuffer(headerBytes + maxSlots * slotBytes)
  const cells = new Int32Array(memory, 0, headerBytes / 4)
  const bytes = Buffer.from(memory)
  const freeSlots = Array.from({ length: maxSlots }, (_, index) => maxSlots - 1 - index)
  return {
    memory,
    cells,
    begin(label?: string) {
      const slot = label === undefined ? undefined : freeSlots.pop()
      if (label !== undefined && slot !== undefined) {
        const offset = headerBytes + slot * slotBytes
        bytes.writeUInt16LE(bytes.write(label, offset + 2, maxLabelBytes, 'latin1'), offset)
      }
      if (Atomics.add(cells, activityCell.inProgress, 1) === 0) Atomics.notify(cells, activityCell.inProgress)
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        Atomics.sub(cells, activityCell.inProgress, 1)
        if (slot === undefined) return
        bytes.writeUInt16LE(0, headerBytes + slot * slotBytes)
        freeSlots.push(slot)
      }
    },
  }
}

export function readActivity(memory: SharedArrayBuffer): { labels: string[]; total: number } {
  const bytes = Buffer.from(memory)
  const labels: string[] = []
  for (let offset = headerBytes; offset < bytes.length; offset += slotBytes) {
    const length = bytes.readUInt16LE(offset)
    if (length > 0) labels.push(bytes.toString('latin1', offset + 2, offset + 2 + length))
  }
  const total = Atomics.load(new Int32Array(memory, 0, headerBytes / 4), activityCell.inProgress)
  return { labels, total }
}
