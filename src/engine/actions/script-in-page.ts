/** Runs in the page: everything it needs stands inside it. */

interface Script {
  source: string
  /** Characters of JSON that are handed on. */
  mostReturned: number
  /** Values inside the returned one that are looked at. */
  mostValues: number
}

/** The type of what a script returns and its JSON, measured here: one that is too long is never on its way. */
export async function scriptInPage({ source, mostReturned, mostValues }: Script): Promise<string> {
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  const isolated = (body: string): (() => unknown) | undefined => {
    try {
      return AsyncFunction(body) as () => unknown
    } catch {
      return undefined
    }
  }
  // biome-ignore lint/security/noGlobalEval: the script is the caller's own and runs in the page it asked for
  const evaluate = (text: string): unknown => globalThis.eval(text)
  const isProgram = () => {
    try {
      evaluate(`if (false) {${source}\n}`)
      return true
    } catch {
      return false
    }
  }
  /** A line that begins so belongs to the one before it. */
  const continues = /^\s*(?:[([`+\-*/%,.?:&|^<>=]|in\b|instanceof\b)/
  /** With `await` at its top: the body of a function that returns the value of its last statement. */
  const asBody = (): (() => unknown) | undefined => {
    let at = source.length
    for (let tries = 0; tries < 50 && at > 0; tries += 1) {
      at = Math.max(source.lastIndexOf(';', at - 1), source.lastIndexOf('\n', at - 1))
      const tail = source.slice(at + 1).replace(/[;\s]+$/, '')
      if (tail === '' || (source[at] === '\n' && continues.test(tail))) continue
      // On the same line: behind the sign of a comment it stays one, and does not parse.
      const made = isolated(`${source.slice(0, at + 1)} return (${tail}\n)`)
      if (made) return made
    }
    return isolated(source)
  }
  const run = (): unknown => {
    // What declares something is to be there for the next script.
    const declares = /^\s*(?:async\s+)?(?:function|class)\b/.test(source)
    const isWhole = isProgram()
    const expression =
      declares && isWhole ? undefined : isolated(`return (${source.trim().replace(/[;\s]+$/, '')}\n)`)
    if (expression) return expression()
    const body = isWhole ? undefined : asBody()
    return body ? body() : evaluate(source)
  }
  /** A script that is nothing but a function means what that returns. */
  const isWholeScript = (value: unknown) =>
    typeof value === 'function' && /^[\s();]*$/.test(source.replace(String(value), () => ''))

  const ofNode = (node: Node): string => {
    if ('outerHTML' in node) return String(node.outerHTML)
    if ('documentElement' in node) return ofNode(node.documentElement as Node)
    return node.nodeValue ?? node.nodeName
  }
  const ofObject = (value: object): unknown => {
    if ('window' in value && value.window === value) return '[Window]'
    if ('nodeType' in value && 'nodeName' in value) return ofNode(value as Node)
    if (value instanceof NodeList || value instanceof HTMLCollection) return Array.from(value)
    if (value instanceof Map || value instanceof Set) return Array.from(value)
    return value instanceof Error || value instanceof RegExp ? String(value) : value
  }
  const plain = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) return ofObject(value)
    if (typeof value === 'function') return `[function ${value.name}]`
    const isReadable = typeof value !== 'bigint' && typeof value !== 'symbol'
    return isReadable && (typeof value !== 'number' || Number.isFinite(value)) ? value : String(value)
  }
  let hasTooMany = false
  const written = (value: unknown): string | undefined => {
    const above: { origin: unknown; shown: unknown }[] = []
    let count = 0
    return JSON.stringify(value, function (this: unknown, _, origin: unknown) {
      count += 1
      hasTooMany = count > mostValues
      if (hasTooMany) throw new RangeError('it holds too many values')
      while (above.length > 0 && above.at(-1)?.shown !== this) above.pop()
      if (above.some((holder) => holder.origin === origin)) return '[circular]'
      const shown = plain(origin)
      if (typeof shown === 'object' && shown !== null) above.push({ origin, shown })
      return shown
    })
  }
  const readable = (value: unknown): string | undefined => {
    if (typeof value === 'function') return JSON.stringify(String(value))
    try {
      return written(value)
    } catch (thrown) {
      return JSON.stringify(`${Object.prototype.toString.call(value)}, which cannot be written: ${thrown}`)
    }
  }

  try {
    let value = await run()
    if (isWholeScript(value)) value = await (value as () => unknown)()
    const json = readable(value)
    if (hasTooMany) return 'large'
    if (typeof json !== 'string') return `${typeof value}:null`
    return json.length > mostReturned ? 'large' : `${typeof value}:${json}`
  } catch (thrown) {
    const text = `${thrown}`
    return `thrown:${text.length > 2000 ? 'an error with a long text' : text}`
  }
}
