import { createRequire } from 'node:module'

// With `require`, which uses the package paths of the environment.
const { parse } = createRequire(import.meta.url)('acorn')

const options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowHashBang: true,
}
const load = "globalThis[Symbol.for('winnow.import')]"
const values = ['ExpressionStatement', 'BlockStatement', 'IfStatement', 'TryStatement', 'SwitchStatement']

/**
 * The code in a form for the debugger's console, with the same line numbers. The console does not support modules, so imports
 * become calls; it reads an object literal as a block; and it would return the last value of any kind of statement.
 * @param {string} code
 * @returns {{ source: string, hasResult: boolean }}
 */
export function readable(code) {
  const object = objectLiteral(code)
  if (object) return { source: object, hasResult: true }
  const program = tryParse(code)
  // The engine may support syntax that this parser does not know, and it decides about errors.
  if (!program) return { source: code, hasResult: true }
  const last = program.body.at(-1)
  return {
    source: withoutImports(code, program),
    hasResult: last !== undefined && values.includes(last.type),
  }
}

function objectLiteral(code) {
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
  for (const node of importsIn(program).sort((left, right) => right.start - left.start)) {
    source = source.slice(0, node.start) + written(node, source) + source.slice(node.end)
  }
  return source
}

function importsIn(program) {
  const found = program.body.filter((node) => node.type === 'ImportDeclaration')
  const waiting = [program]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'ImportExpression')
      found.push({ type: node.type, start: node.start, end: node.start + 6 })
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) waiting.push(...child.filter((part) => typeof part?.type === 'string'))
      else if (typeof child?.type === 'string') waiting.push(child)
    }
  }
  return found
}

function written(node, code) {
  if (node.type === 'ImportExpression') return load
  const loaded = `await ${load}(${node.source.raw})`
  const named = []
  const whole = []
  for (const { type, imported, local } of node.specifiers) {
    if (type === 'ImportNamespaceSpecifier') whole.push(local.name)
    else
      named.push(
        `${type === 'ImportDefaultSpecifier' ? 'default' : (imported.raw ?? imported.name)}: ${local.name}`,
      )
  }
  const targets = [...whole, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])]
  const lines = '\n'.repeat(code.slice(node.start, node.end).split('\n').length - 1)
  if (targets.length === 0) return `${loaded};${lines}`
  return `${targets.map((target) => `const ${target} = ${loaded}`).join('; ')};${lines}`
}
