/** A function that runs in a page: only its source goes there. */
export type PageFunction<Argument, Result> = (argument: Argument) => Result | Promise<Result>

/** What a script holds by name: its functions, and values that can be written down. */
export type PagePart =
  | ((...given: never[]) => unknown)
  | RegExp
  | ReadonlySet<string>
  | string
  | number
  | readonly unknown[]
  | { readonly [name: string]: readonly string[] }

export interface PageScript<Argument, Result> {
  /** Is called in the page with the argument. Here it only tells the types. */
  entry: PageFunction<Argument, Result>
  /** Of one function that holds the entry and all of its parts, and uses nothing else but what every page has. */
  source: string
}

/**
 * One function for the page out of several functions of ours, so that none of them has to hold all the others. The parts are
 * known by name inside of it alone. It is strict: whatever of the page is called from it, or reads a stack, cannot get hold
 * of the functions it is made of.
 *
 * Parts of another file are named with `declare const part: typeof import('./file.ts').part`: whoever loads a file may give
 * another name to what it imports, and the source of a function tells that one.
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
