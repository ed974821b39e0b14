import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Body, Option, Values } from './command.ts'
import { UsageError } from './usage-error.ts'

/** Each of the next replaces single values of the ones before: `--options`, flags, `--option`. The service checks them. */
export function requestBody(options: readonly Option[], values: Values): Body {
  const body: Body = {}
  const file = values.texts.get('options')
  if (file !== undefined) Object.assign(body, objectIn(file))
  for (const option of options) {
    if (option.field === undefined) continue
    const value = givenFor(option, values)
    if (value !== undefined) put(body, option.field, value)
  }
  for (const assignment of values.lists.get('option') ?? []) assign(body, assignment)
  return body
}

/** Sets `a.b` of a request. Names come from the command line, so none of them reaches a prototype. */
export function put(body: Body, field: string, value: unknown): void {
  const names = field.split('.')
  const last = names.pop() ?? ''
  let place = body
  for (const name of names) {
    const within = Object.hasOwn(place, name) ? place[name] : undefined
    if (isObject(within)) place = within
    else {
      const made: Body = {}
      define(place, name, made)
      place = made
    }
  }
  define(place, last, value)
}

function jsonIn(json: string, from: string): unknown {
  try {
    return JSON.parse(json)
  } catch (thrown) {
    throw new UsageError(`${from} is not JSON: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

/** What an option names: JSON itself, or a file that holds it. */
export function jsonOrFile(value: string, from: string): unknown {
  return /^\s*[[{]/.test(value) ? jsonIn(value, from) : jsonIn(readText(value, from), value)
}

/** A file, or standard input where the path is `-`. */
export async function readInput(path: string, from: string): Promise<string> {
  return path === '-' ? text(process.stdin) : readText(path, from)
}

function readText(path: string, from: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw new UsageError(
      `${from}: ${path} cannot be read (${thrown instanceof Error && 'code' in thrown ? thrown.code : thrown}).`,
    )
  }
}

function givenFor(option: Option, { flags, off, texts, numbers, lists }: Values): unknown {
  if (option.kind === 'flag') return flags.has(option.name) ? true : off.has(option.name) ? false : undefined
  if (option.kind === 'number') return numbers.get(option.name)
  if (option.kind === 'list') return lists.get(option.name)
  return texts.get(option.name)
}

function objectIn(file: string): Body {
  const value = jsonIn(readText(file, '--options'), file)
  if (!isObject(value)) throw new UsageError(`--options: ${file} holds no JSON object.`)
  return value
}

function assign(body: Body, assignment: string): void {
  const at = assignment.indexOf('=')
  if (at < 1)
    throw new UsageError(`--option takes NAME=VALUE, for example --option limit=5, not "${assignment}".`)
  put(body, assignment.slice(0, at), jsonOrText(assignment.slice(at + 1)))
}

/** Texts need no quotes: `--option country=DE`. What begins like an object or a list has to be one. */
function jsonOrText(value: string): unknown {
  if (/^\s*[[{"]/.test(value)) return jsonIn(value, `--option ${value}`)
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function define(place: Body, name: string, value: unknown): void {
  Object.defineProperty(place, name, { value, enumerable: true, writable: true, configurable: true })
}
