/** Writes whatever a script of the page may return as JSON. Runs in the page, as parts of a script. */
export interface Writing {
  /** Values inside the returned one that are looked at. */
  mostValues: number
  hasTooMany: boolean
}

export const valueParts = { readable, written, plain, ofObject, ofNode }

export function readable(value: unknown, writing: Writing): string | undefined {
  if (typeof value === 'function') return JSON.stringify(String(value))
  try {
    return written(value, writing)
  } catch (thrown) {
    return JSON.stringify(`${Object.prototype.toString.call(value)}, which cannot be serialised: ${thrown}`)
  }
}

function written(value: unknown, writing: Writing): string | undefined {
  const above: { origin: unknown; shown: unknown }[] = []
  let count = 0
  return JSON.stringify(value, function (this: unknown, _, origin: unknown) {
    count += 1
    writing.hasTooMany = count > writing.mostValues
    if (writing.hasTooMany) throw new RangeError('it has too many values')
    while (above.length > 0 && above.at(-1)?.shown !== this) above.pop()
    if (above.some((holder) => holder.origin === origin)) return '[circular]'
    const shown = plain(origin)
    if (typeof shown === 'object' && shown !== null) above.push({ origin, shown })
    return shown
  })
}

function plain(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return ofObject(value)
  if (typeof value === 'function') return `[function ${value.name}]`
  const isReadable = typeof value !== 'bigint' && typeof value !== 'symbol'
  return isReadable && (typeof value !== 'number' || Number.isFinite(value)) ? value : String(value)
}

function ofObject(value: object): unknown {
  if ('window' in value && value.window === value) return '[Window]'
  if ('nodeType' in value && 'nodeName' in value) return ofNode(value as Node)
  if (value instanceof NodeList || value instanceof HTMLCollection) return Array.from(value)
  if (value instanceof Map || value instanceof Set) return Array.from(value)
  return value instanceof Error || value instanceof RegExp ? String(value) : value
}

function ofNode(node: Node): string {
  if ('outerHTML' in node) return String(node.outerHTML)
  if ('documentElement' in node) return ofNode(node.documentElement as Node)
  return node.nodeValue ?? node.nodeName
}
