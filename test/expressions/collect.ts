import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Node, parse } from 'acorn'

const sources = new URL('../../src/', import.meta.url)

export interface Collected {
  /** Expressions as written between slashes, with the files that contain them. */
  expressions: Map<string, string[]>
  /** Calls of `RegExp` inside functions, as "file: code". Their text is only known at run time. */
  builtLater: string[]
}

/** Collects every regular expression of `src/`: literals, and expressions that modules build when they are loaded. */
export async function collectExpressions(): Promise<Collected> {
  const expressions = new Map<string, string[]>()
  const builtLater: string[] = []
  const buildsOnLoad = new Set<string>()
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts') || /\.(?:test|d)\.ts$/.test(file)) continue
    const code = stripTypeScriptTypes(readFileSync(new URL(file, sources), 'utf8'))
    for (const found of expressionsIn(code)) {
      if ('literal' in found) add(expressions, found.literal, file)
      else if (found.isOnLoad) buildsOnLoad.add(file)
      else builtLater.push(`${file}: ${found.call}`)
    }
  }
  for (const [expression, file] of await builtOnLoad([...buildsOnLoad])) add(expressions, expression, file)
  return { expressions, builtLater }
}

function add(expressions: Map<string, string[]>, expression: string, file: string): void {
  const files = expressions.get(expression)
  if (!files) expressions.set(expression, [file])
  else if (!files.includes(file)) files.push(file)
}

type FoundExpression = { literal: string } | { call: string; isOnLoad: boolean }

function expressionsIn(code: string): FoundExpression[] {
  const expressions: FoundExpression[] = []
  const visit = (value: unknown, isOnLoad: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, isOnLoad)
    if (!isNode(value)) return
    if (value.regex) expressions.push({ literal: `/${value.regex.pattern}/${value.regex.flags}` })
    if (value.callee?.name === 'RegExp')
      expressions.push({ call: code.slice(value.start, value.end), isOnLoad })
    for (const child of Object.values(value)) visit(child, isOnLoad && !value.type.includes('Function'))
  }
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), true)
  return expressions
}

interface SyntaxNode extends Node {
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value

/** Runs in a separate process, because it replaces the global `RegExp` to record the built expressions. */
async function builtOnLoad(files: string[]): Promise<[expression: string, file: string][]> {
  const script = fileURLToPath(new URL('./print-built.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...files], { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout)
}
