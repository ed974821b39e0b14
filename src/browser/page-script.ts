/** A function that runs in a page: only its source is sent. */
export type PageFunction<Argument, Result> = (argument: Argument) => Result | Promise<Result>

/** The named parts of a script: functions and serialisable values. */
export type PagePart =
  | ((...given: never[]) => unknown)
  | RegExp
  | ReadonlySet<string>
  | string
  | number
  | readonly unknown[]
  | { readonly [name: string]: readonly string[] }

export interface PageScript<Argument, Result> {
  /** Called in the page with the argument. Here it only defines the types. */
  entry: PageFunction<Argument, Result>
  /** Source of one function that contains the entry and all its parts, and otherwise uses only globals of every page. */
  source: string
}

/**
 * Builds one function for the page from several functions, so that none of them has to contain all the others. The names of
 * the parts are visible inside it only. It is strict: page code that it calls, or that reads a stack, cannot get a reference
 * to its functions.
 *
 * Declare parts of another file with `declare const part: typeof import('./file.ts').part`: a module loader may rename
 * imports, and the source of a function would contain the new name.
 */
export function pageScript<Argument, Result>(
  entry: PageFunction<Argument, Result>,
  ...groups: Record<string, PagePart>[]
): PageScript<Argument, Result> {
  const parts = groups.flatMap((group) => Object.entries(group))
  const names = parts.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new Error(`A script for the page has two parts that are called ${twice}`)
  const lines = parts.map(([name, part]) => `const ${name} = ${written(part)};`)
  const source = `function (argument) {\n'use strict';\n${lines.join('\n')}\nreturn (${String(entry)})(argument);\n}`
  return { entry, source }
}

export function sourceOf<Argument, Result>(
  work: PageFunction<Argument, Result> | PageScript<Argument, Result>,
): string {
  return typeof work === 'function' ? String(work) : work.source
}

function written(part: PagePart): string {
  if (typeof part === 'function' || part instanceof RegExp) return String(part)
  return part instanceof Set ? `new Set(${JSON.stringify([...part])})` : JSON.stringify(part)
}
