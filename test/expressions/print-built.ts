/** Loads modules of `src/` and prints every expression that they build with `RegExp` during loading. */
const sources = new URL('../../src/', import.meta.url)
const built: [expression: string, file: string][] = []
const RealRegExp = RegExp

globalThis.RegExp = new Proxy(RealRegExp, {
  construct: (target, args) => record(Reflect.construct(target, args)),
  apply: (target, self, args) => record(Reflect.apply(target, self, args)),
})

for (const file of process.argv.slice(2)) await import(new URL(file, sources).href)
process.stdout.write(JSON.stringify(built), () => process.exit())

function record(expression: RegExp): RegExp {
  const caller = new Error('for its stack').stack?.split('\n')[3] ?? ''
  const file = caller.split('/src/')[1]?.split(':')[0]
  if (file !== undefined && !caller.includes('node_modules'))
    built.push([`/${expression.source}/${expression.flags}`, file])
  return expression
}
