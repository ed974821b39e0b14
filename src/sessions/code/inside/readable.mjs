import { createRequire } from 'node:module'

// `require` uses the package paths of the environment.
const { parse } = createRequire(import.meta.url)('acorn')

const options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowHashBang: true,
}
const importCall = "globalThis[Symbol.for('winnow.import')]"
const valueStatements = [
  'ExpressionStatement',
  'BlockStatement',
  'IfStatement',
  'TryStatement',
  'SwitchStatement',
]

/**
 * Rewrites code for the debugger's console, with the same line numbers. The console does not support modules, so imports become
 * calls. It reads an object literal as a block, so one is wrapped in parentheses. It returns the last value of any kind of
 * statement, so `hasResult` is false if the last statement has no value.
 * @param {string} code
 * @returns {{ source: string, hasResult: boolean }}
 */
export function readable(code) {
  const object = parseObjectLiteral(code)
  if (object) return { source: object, hasResult: true }
  const program = tryParse(code)
  // The engine may support syntax that this parser does not, and reports errors itself.
  if (!program) return { source: code, hasResult: true }
  const last = program.body.at(-1)
  return {
    source: withoutImports(code, program),
    hasResult: last !== undefined && valueStatements.includes(last.type),
  }
}

function parseObjectLiteral(code) {
  if (!/^\s*\{/.test(code)) return undefined
  const source = `(${code}\n)`
  const program = tryParse(source)
  return program && withoutImports(source, program)
}

function tryParse(code) {
  try {
    return parse(code, options)
  } catch {
    return undefined
  }
}

function withoutImports(code, program) {
  let source = code
  // From the end, so that earlier positions stay valid.
  for (const node of findImports(program).sort((left, right) => right.start - left.start)) {
    source = source.slice(0, node.start) + toCall(node, source) + source.slice(node.end)
  }
  return source
}

function findImports(program) {
  const found = program.body.filter((node) => node.type === 'ImportDeclaration')
  const stack = [program]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'ImportExpression')
      found.push({ type: node.type, start: node.start, end: node.start + 6 })
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) stack.push(...child.filter((part) => typeof part?.type === 'string'))
      else if (typeof child?.type === 'string') stack.push(child)
    }
  }
  return found
}

function toCall(node, code) {
  if (node.type === 'ImportExpression') return importCall
  const loadExpression = `await ${importCall}(${node.source.raw})`
  const named = []
  const namespaces = []
  for (const { type, imported, local } of node.specifiers) {
    if (type === 'ImportNamespaceSpecifier') namespaces.push(local.name)
    else
      named.push(
        `${type === 'ImportDefaultSpecifier' ? 'default' : (imported.raw ?? imported.name)}: ${local.name}`,
      )
  }
  const targets = [...namespaces, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])]
  const lines = '\n'.repeat(code.slice(node.start, node.end).split('\n').length - 1)
  if (targets.length === 0) return `${loadExpression};${lines}`
  return `${targets.map((target) => `const ${target} = ${loadExpression}`).join('; ')};${lines}`
}
