import { createRequire } from 'node:module'

// By `require`, which looks for packages where the environment says.
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
 * The code as the debugger's console understands it, on the same lines. It knows no modules, so imports become calls;
 * it takes an object literal for a block; and it would answer the last value of any kind.
 * @param {string} code
 * @returns {{ source: string, hasResult: boolean }}
 */
export function readable(code) {
  const object = objectLiteral(code)
  if (object) return { source: object, hasResult: true }
  const program = tryParse(code)
  // What this parser does not know may still be known to the engine, which has the last word on errors too.
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
  // From the end, so that places found earlier stay right.
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
