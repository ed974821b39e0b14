import { runInNewContext } from 'node:vm'
import { type AnyNode, type Pattern, parse } from 'acorn'

/** Globals of every page that the service's page scripts use. */
const pageGlobals = [
  ...['document', 'location', 'window', 'performance', 'scrollX', 'scrollY', 'innerWidth', 'innerHeight'],
  ...['getComputedStyle', 'matchMedia', 'setTimeout', 'clearTimeout', 'btoa', 'URL', 'TextEncoder'],
  ...['Node', 'NodeList', 'NodeFilter', 'HTMLCollection', 'MutationObserver', 'XMLSerializer'],
  ...['SVGElement', 'HTMLElement', 'HTMLImageElement', 'HTMLInputElement', 'HTMLAnchorElement'],
  ...['HTMLIFrameElement', 'HTMLDialogElement', 'ShadowRoot'],
]

/**
 * Returns names that a script uses but neither declares nor finds in every page. Such a name is a missing part of the
 * script, and a page could define it: an element with that id is enough.
 */
export function findUndeclaredNames(source: string): string[] {
  const program = parse(`(${source})`, { ecmaVersion: 'latest' })
  const language: string[] = runInNewContext('Object.getOwnPropertyNames(globalThis)')
  const names = new Set<string>()
  visit(program, new Set([...language, ...pageGlobals, 'undefined']), names)
  return [...names]
}

function visit(node: AnyNode, knownNames: ReadonlySet<string>, undeclared: Set<string>): void {
  if (node.type === 'Identifier' && !knownNames.has(node.name)) undeclared.add(node.name)
  const scopeNames = isFunction(node) ? new Set([...knownNames, ...declaredIn(node)]) : knownNames
  for (const child of childrenOf(node)) visit(child, scopeNames, undeclared)
}

const isFunction = ({ type }: AnyNode) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

/** Returns child nodes without names that only follow a dot or precede a colon. */
function childrenOf(node: AnyNode): AnyNode[] {
  return Object.entries(node).flatMap(([role, child]) => {
    const isName = (role === 'property' || role === 'key') && 'computed' in node && !node.computed
    return isName ? [] : [child].flat().filter((item) => typeof item?.type === 'string')
  })
}

/** Returns all names that a function declares in any of its blocks. Nested functions have their own names. */
function declaredIn(node: AnyNode): string[] {
  const nested = childrenOf(node).flatMap((child) =>
    isFunction(child) ? namesIn('id' in child ? child.id : null) : declaredIn(child),
  )
  return [...patternsOf(node).flatMap(namesIn), ...nested]
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
