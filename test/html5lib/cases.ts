import { readFileSync } from 'node:fs'

/** A tree in a form that html5lib and the service's parser can both produce. */
export interface Shape {
  name: string
  attributes: Record<string, string>
  children: (Shape | string)[]
}

export interface TreeCase {
  file: string
  html: string
  expected: Shape
}

export function treeCases(): TreeCase[] {
  return rows<[string, string, string]>('tree-construction.jsonl').map(([file, html, dump]) => ({
    ...{ file, html, expected: readDump(dump) },
  }))
}

export interface TokenCase {
  file: string
  states: string[]
  lastStartTag: string
  input: string
  text: string
  tags: [name: string, attributes: Record<string, string>][]
}

type TokenRow = [string, string[], string, string, string, TokenCase['tags']]

export function tokenCases(): TokenCase[] {
  return rows<TokenRow>('tokenizer.jsonl').map(([file, states, lastStartTag, input, text, tags]) => ({
    ...{ file, states, lastStartTag, input, text, tags },
  }))
}

function rows<Row>(file: string): Row[] {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** Reads the notation of html5lib: a line for each node and attribute, indented by depth. */
function readDump(dump: string): Shape {
  const top: Shape = { name: '', attributes: {}, children: [] }
  const open: Shape[] = [top]
  for (const entry of dump.split(/\n(?=\| )/)) {
    const [, indent = '', content = ''] = /^\| ( *)([\s\S]*)$/.exec(entry) ?? []
    const depth = indent.length / 2
    open.length = depth + 1
    const parent = open[depth] ?? top
    const [, attribute, value = ''] = /^([^"<]\S*(?: \S+)?)="([\s\S]*)"$/.exec(content) ?? []
    if (content.startsWith('"')) parent.children.push(content.slice(1, -1))
    // In this notation, the content of a template is a separate document.
    else if (content.startsWith('<!') || content.startsWith('<?') || content === 'content') open.push(parent)
    else if (attribute) parent.attributes[attribute.replace(' ', ':').toLowerCase()] = value
    else {
      const name = content.slice(1, -1).toLowerCase()
      const shape = { name: name.replace(/^(?:svg|math) /, ''), attributes: {}, children: [] }
      parent.children.push(shape)
      open.push(shape)
    }
  }
  return top
}
