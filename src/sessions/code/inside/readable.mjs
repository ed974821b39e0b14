import { createRequire } from 'node:module'

// `require` uses the package paths of the environment.
const { parse } = createRequire(import.meta.url)('acorn')

const parserOptions = {
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
 * Rewrites code for the debugger's console, with the same line numbers. The console does not support modules, so
 * imports become calls. The console reads an object literal as a block, so a literal is wrapped in parentheses. If the
 * last statement has no value, the console may return the value of an earlier one; `hasResult` is then false.
 * @param {string} code
 * @returns {{ source: string, hasResult: boolean }}
 */
export function readable(code) {
  const objectLiteral = parseObjectLiteral(code)
  if (objectLiteral) return { source: objectLiteral, hasResult: true }
  const program = tryParse(code)
  // V8 may support syntax that this parser does not support, and reports syntax errors itself.
  if (!program) return { source: code, hasResult: true }
  const lastStatement = program.body.at(-1)
  return {
    source: withoutImports(code, program),
    hasResult: lastStatement !== undefined && valueStatements.includes(lastStatement.type),
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
    return parse(code, parserOptions)
  } catch {
    return undefined
  }
}

function withoutImports(code, program) {
  let source = code
  // Imports are replaced from the end, so that earlier positions stay valid.
  for (const node of findImports(program).sort((left, right) => right.start - left.start)) {
    source = source.slice(0, node.start) + toCall(node, source) + source.slice(node.end)
  }
  return source
}

function findImports(program) {
  const importNodes = program.body.filter((node) => node.type === 'ImportDeclaration')
  const stack = [program]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'ImportExpression')
      importNodes.push({ type: node.type, start: node.start, end: node.start + 6 })
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) stack.push(...child.filter((item) => typeof item?.type === 'string'))
      else if (typeof child?.type === 'string') stack.push(child)
    }
  }
  return importNodes
}

function toCall(node, code) {
  if (node.type === 'ImportExpression') return importCall
  const loadExpression = `await ${importCall}(${node.source.raw})`
  const namedImports = []
  const namespaces = []
  for (const { type, imported, local } of node.specifiers) {
    if (type === 'ImportNamespaceSpecifier') namespaces.push(local.name)
    else
      namedImports.push(
        `${type === 'ImportDefaultSpecifier' ? 'default' : (imported.raw ?? imported.name)}: ${local.name}`,
      )
  }
  const targets = [...namespaces, ...(namedImports.length > 0 ? [`{ ${namedImports.join(', ')} }`] : [])]
  const lineBreaks = '\n'.repeat(code.slice(node.start, node.end).split('\n').length - 1)
  if (targets.length === 0) return `${loadExpression};${lineBreaks}`
  return `${targets.map((target) => `const ${target} = ${loadExpression}`).join('; ')};${lineBreaks}`
}
