import { Parser } from 'htmlparser2'

/** An element inside an entry that has been closed. Names have no prefix and are in small letters. */
export interface EntryPart {
  name: string
  /** The name of its parent. */
  holder: string
  text: string
  attributes: Record<string, string>
}

interface EntryHandlers {
  onStart(name: string): void
  onPart(part: EntryPart): void
  onEnd(root: string): void
}

/** The rest of a longer text is left out. */
const maxCharacters = 20_000

/**
 * Reads the entries of a sitemap or a feed part by part, in one pass and in memory that does not grow with the file. Namespaces
 * are not looked at, as too many files name the wrong one.
 */
export function entryReader(names: ReadonlySet<string>, { onStart, onPart, onEnd }: EntryHandlers) {
  const path: string[] = []
  let root = ''
  let isWhole = false
  let isInEntry = false
  let isCutOff = false
  let text = ''
  let attributes: EntryPart['attributes'] = {}
  const parser = new Parser(
    {
      onopentag(qualified, attribs) {
        const name = localName(qualified)
        if (path.length === 0) root = name
        if (names.has(name)) {
          isInEntry = true
          onStart(name)
        }
        path.push(name)
        text = ''
        attributes = attribs
      },
      ontext(part) {
        if (text.length < maxCharacters) text += part
      },
      onclosetag(_, isImplied) {
        const name = path.pop() ?? ''
        if (path.length === 0) isWhole = !isImplied
        if (names.has(name)) {
          if (!isCutOff) onEnd(root)
          isInEntry = false
        } else if (isInEntry) onPart({ name, holder: path.at(-1) ?? '', text: text.trim(), attributes })
        text = ''
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write: (part: string) => parser.write(part),
    /** Returns the name of the outermost element, and whether the file closes it. */
    end() {
      // What closes only now was cut off, perhaps in the middle of an address.
      isCutOff = true
      parser.end()
      return { root, isWhole }
    },
  }
}

/** Without its prefix, and in small letters: some write `<URL>`, some `<ns0:url>`. */
function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase()
}
