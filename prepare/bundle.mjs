import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Writes the service into a folder as few files: `node bundle.mjs PROJECT FOLDER`. The folder is two below the project, since
 * what the sources read beside them stays where it is.
 */
const [project = '', folder = ''] = process.argv.slice(2).map((path) => resolve(path))
const sources = join(project, 'src')

/** They load code for this machine, or files beside their own. */
const outside = [
  ...['@firecrawl/anydoc', '@llamaindex/liteparse', 'impit', 'onnxruntime-node', 'playwright-core', 'sharp'],
  'pg-native',
]

/**
 * These send the source of functions into pages, and the names in it must stay as they are. In a file with others, one of two
 * equal names is changed.
 */
const sendsSource = /\/src\/(?:browser|fetch(?!\/network\/)|sessions)\//

/** How a source names another that Node runs by itself, as a thread or a process. */
const program = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g
const place = new RegExp(`${program.source}|import\\.meta\\.url`, 'g')

// It comes with the packages that build the console.
const { resolve: find } = createRequire(join(project, 'console', 'package.json'))
const { rolldown } = await import(pathToFileURL(find('rolldown')).href)
const bundle = await rolldown({
  input: { main: join(sources, 'main.ts'), ...programs() },
  platform: 'node',
  external: [/\.node$/, ...outside],
  plugins: [
    { name: 'winnow', transform: keepPlaces, generateBundle: keepNames },
    { name: 'http', resolveId: standIn, load: loadStandIn },
  ],
  logLevel: 'warn',
  preserveEntrySignatures: 'allow-extension',
})
await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'scripts of pages', test: sendsSource, name: nameOf }],
  },
})

/** Every source that is a program of its own, by the name of its file in the bundle. */
function programs() {
  /** @type {Record<string, string>} */
  const found = {}
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const path = join(sources, file)
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(program)) {
      const target = join(dirname(path), name)
      found[nameOf(target)] = target
    }
  }
  return found
}

/**
 * An `import` of `node:http` reads everything it exports, WebSocket among it, and that loads the whole client of Node at
 * every start. Asked for as an object, it is read where it is used.
 * @param {string} name
 * @param {string | undefined} _
 * @param {{ kind: string }} how
 */
function standIn(name, _, { kind }) {
  return name === 'node:http' && kind === 'import-statement' ? '\0http' : null
}

/** @param {string} id */
function loadStandIn(id) {
  if (id !== '\0http') return null
  const properties = Object.entries(Object.getOwnPropertyDescriptors(http))
  const names = properties.flatMap(([name, { get }]) => (get ? [] : name))
  return `export const { ${names.join(', ')} } = process.getBuiltinModule('node:http')`
}

/**
 * @param {string} code
 * @param {string} path
 */
function keepPlaces(code, path) {
  if (!path.startsWith(sources) || !code.includes('import.meta.')) return null
  if (/import\.meta\.(?:dirname|filename)/.test(code)) {
    throw new Error(
      `${path} asks for its own place in a way that bundling does not keep: use import.meta.url`,
    )
  }
  const own = JSON.stringify(relative(folder, path))
  return code.replaceAll(place, (_, name) =>
    name === undefined
      ? `new URL(${own}, import.meta.url).href`
      : `new URL('./${nameOf(join(dirname(path), name))}.js', import.meta.url)`,
  )
}

/**
 * @param {unknown} _
 * @param {Record<string, { code?: string, moduleIds?: string[] }>} files
 */
function keepNames(_, files) {
  for (const { code = '', moduleIds = [] } of Object.values(files)) {
    if (!moduleIds.some((path) => sendsSource.test(path))) continue
    const changed = /^(?:export )?(?:async )?(?:function|class|const|let) (\w+\$\d+)/m.exec(code)?.[1]
    if (changed) throw new Error(`${moduleIds.join(', ')}: bundling changed a name to ${changed}`)
  }
}

/** @param {string} path */
function nameOf(path) {
  return relative(sources, join(dirname(path), basename(path, '.ts'))).replaceAll('/', '-')
}
