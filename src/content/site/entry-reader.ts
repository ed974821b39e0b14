import { Parser } from 'htmlparser2'

export interface EntryPart {
  name: string
  parent: string
  text: string
  attributes: Record<string, string>
}

interface EntryHandlers {
  onStart(name: string): void
  onPart(part: EntryPart): void
  onEnd(root: string): void
}

const maxCharacters = 20_000

/** Reads in chunks, with constant memory. Ignores namespaces, because too many files declare a wrong one. */
export function createEntryReader(names: ReadonlySet<string>, { onStart, onPart, onEnd }: EntryHandlers) {
  const path: string[] = []
  let root = ''
  let isComplete = false
  let isInEntry = false
  let isTruncated = false
  let text = ''
  let attributes: EntryPart['attributes'] = {}
  const parser = new Parser(
    {
      onopentag(qualified, attribs) {
        // Some files contain `<URL>`, some `<ns0:url>`.
        const name = qualified.slice(qualified.lastIndexOf(':') + 1).toLowerCase()
        if (path.length === 0) root = name
        if (names.has(name)) {
          isInEntry = true
          onStart(name)
        }
        path.push(name)
        text = ''
        attributes = attribs
      },
      ontext(chunk) {
        if (text.length < maxCharacters) text += chunk
      },
      onclosetag(_, isImplied) {
        const name = path.pop() ?? ''
        if (path.length === 0) isComplete = !isImplied
        if (names.has(name)) {
          if (!isTruncated) onEnd(root)
          isInEntry = false
        } else if (isInEntry) onPart({ name, parent: path.at(-1) ?? '', text: text.trim(), attributes })
        text = ''
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write: (chunk: string) => parser.write(chunk),
    end() {
      // Elements that close only now were truncated, possibly inside a URL.
      isTruncated = true
      parser.end()
      return { root, isComplete }
    },
  }
}
