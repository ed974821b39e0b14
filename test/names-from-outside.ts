import { runInNewContext } from 'node:vm'
import { type AnyNode, type Pattern, parse } from 'acorn'

/** Of every page, as far as scripts of ours use it. */
const ofPages = [
  ...['document', 'location', 'window', 'performance', 'scrollX', 'scrollY', 'innerWidth', 'innerHeight'],
  ...['getComputedStyle', 'matchMedia', 'setTimeout', 'clearTimeout', 'btoa', 'URL', 'TextEncoder'],
  ...['Node', 'NodeList', 'NodeFilter', 'HTMLCollection', 'MutationObserver', 'XMLSerializer'],
  ...['SVGElement', 'HTMLElement', 'HTMLImageElement', 'HTMLInputElement', 'HTMLAnchorElement'],
  ...['HTMLIFrameElement', 'HTMLDialogElement', 'ShadowRoot'],
]

/**
 * Names that a script uses and neither declares nor finds in every page. One of them is a part that was forgotten, which a
 * page could put in its place: an element with such an id is enough.
 */
export function namesFromOutside(source: string): string[] {
  const program = parse(`(${source})`, { ecmaVersion: 'latest' })
  const language: string[] = runInNewContext('Object.getOwnPropertyNames(globalThis)')
  const found = new Set<string>()
  visit(program, new Set([...language, ...ofPages, 'undefined']), found)
  return [...found]
}

function visit(node: AnyNode, known: ReadonlySet<string>, found: Set<string>): void {
  if (node.type === 'Identifier' && !known.has(node.name)) found.add(node.name)
  const inside = isFunction(node) ? new Set([...known, ...declaredIn(node)]) : known
  for (const child of childrenOf(node)) visit(child, inside, found)
}

const isFunction = ({ type }: AnyNode) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

/** Without names that only stand behind a dot or before a colon. */
function childrenOf(node: AnyNode): AnyNode[] {
  return Object.entries(node).flatMap(([role, child]) => {
    const isName = (role === 'property' || role === 'key') && 'computed' in node && !node.computed
    return isName ? [] : [child].flat().filter((one) => typeof one?.type === 'string')
  })
}

/** All that a function declares, in whatever block of it; functions inside of it have names of their own. */
function declaredIn(node: AnyNode): string[] {
  const inside = childrenOf(node).flatMap((child) =>
    isFunction(child) ? namesIn('id' in child ? child.id : null) : declaredIn(child),
  )
  return [...patternsOf(node).flatMap(namesIn), ...inside]
}

function patternsOf(node: AnyNode): (Pattern | null | undefined)[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return [node.id]
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return [node.id, ...node.params]
    case 'ArrowFunctionExpression':
      return node.params
    case 'CatchClause':
      return [node.param]
    default:
      return []
  }
}

function namesIn(pattern: Pattern | null | undefined): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn)
    case 'ObjectPattern':
      return pattern.properties.flatMap((part) => namesIn(part.type === 'Property' ? part.value : part))
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    default:
      return []
  }
}
