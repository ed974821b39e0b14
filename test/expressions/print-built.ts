/** Loads modules of `src/` and prints every expression that they build by `RegExp` meanwhile. */
const sources = new URL('../../src/', import.meta.url)
const built: [expression: string, file: string][] = []
const RealRegExp = RegExp

globalThis.RegExp = new Proxy(RealRegExp, {
  construct: (target, given) => note(Reflect.construct(target, given)),
  apply: (target, self, given) => note(Reflect.apply(target, self, given)),
})

for (const file of process.argv.slice(2)) await import(new URL(file, sources).href)
process.stdout.write(JSON.stringify(built), () => process.exit())

function note(made: RegExp): RegExp {
  const caller = new Error('for its stack').stack?.split('\n')[3] ?? ''
  const file = caller.split('/src/')[1]?.split(':')[0]
  if (file !== undefined && !caller.includes('node_modules'))
    built.push([`/${made.source}/${made.flags}`, file])
  return made
}
