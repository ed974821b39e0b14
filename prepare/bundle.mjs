import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Bundles the service into few files: `node bundle.mjs PROJECT FOLDER`. The bundle reads data files next to the sources
 * by relative paths. The folder must therefore be two levels below the project, like the folder in which the bundle
 * runs.
 */
const [project = '', folder = ''] = process.argv.slice(2).map((path) => resolve(path))
const sources = join(project, 'src')

/** Packages that are not bundled, because they load native code or files next to their own. */
const externalPackages = [
  ...['@firecrawl/anydoc', '@llamaindex/liteparse', 'impit', 'onnxruntime-node', 'playwright-core', 'sharp'],
  'pg-native',
]

/**
 * Matches modules that send the source of functions into pages, so the names in it must not change. These modules are
 * written to separate files, because the bundler renames one of two equal names in a file.
 */
const pageScriptModule = /\/src\/(?:browser|fetch(?!\/network\/)|sessions)\//

/** Matches the reference of a source to another source that Node runs as a thread or a process. */
const programUrl = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g
const metaUrl = new RegExp(`${programUrl.source}|import\\.meta\\.url`, 'g')

// rolldown is installed with the packages that build the console.
const { resolve: resolvePackage } = createRequire(join(project, 'console', 'package.json'))
const { rolldown } = await import(pathToFileURL(resolvePackage('rolldown')).href)
const bundle = await rolldown({
  input: { main: join(sources, 'main.ts'), ...findPrograms() },
  platform: 'node',
  external: [/\.node$/, ...externalPackages],
  plugins: [
    { name: 'winnow', transform: resolveUrls, generateBundle: assertNamesUnchanged },
    { name: 'http', resolveId: resolveHttp, load: loadHttp },
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
    groups: [{ debugName: 'scripts of pages', test: pageScriptModule, name: bundleName }],
  },
})

/** Returns the sources that run as separate programs, by the name of their file in the bundle. */
function findPrograms() {
  /** @type {Record<string, string>} */
  const found = {}
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const path = join(sources, file)
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(programUrl)) {
      const target = join(dirname(path), name)
      found[bundleName(target)] = target
    }
  }
  return found
}

/**
 * Replaces imports of `node:http` by a module without the exports that are getters. An `import` reads every export. The
 * getter of WebSocket would load the complete HTTP client of Node on every startup.
 * @param {string} name
 * @param {string | undefined} _
 * @param {{ kind: string }} options
 */
function resolveHttp(name, _, { kind }) {
  return name === 'node:http' && kind === 'import-statement' ? '\0http' : null
}

/** @param {string} id */
function loadHttp(id) {
  if (id !== '\0http') return null
  const properties = Object.entries(Object.getOwnPropertyDescriptors(http))
  const names = properties.flatMap(([name, { get }]) => (get ? [] : name))
  return `export const { ${names.join(', ')} } = process.getBuiltinModule('node:http')`
}

/**
 * @param {string} code
 * @param {string} path
 */
function resolveUrls(code, path) {
  if (!path.startsWith(sources) || !code.includes('import.meta.')) return null
  if (/import\.meta\.(?:dirname|filename)/.test(code)) {
    throw new Error(
      `${path} asks for its own place in a way that bundling does not keep: use import.meta.url`,
    )
  }
  const sourcePath = JSON.stringify(relative(folder, path))
  return code.replaceAll(metaUrl, (_, name) =>
    name === undefined
      ? `new URL(${sourcePath}, import.meta.url).href`
      : `new URL('./${bundleName(join(dirname(path), name))}.js', import.meta.url)`,
  )
}

/**
 * @param {unknown} _
 * @param {Record<string, { code?: string, moduleIds?: string[] }>} files
 */
function assertNamesUnchanged(_, files) {
  for (const { code = '', moduleIds = [] } of Object.values(files)) {
    if (!moduleIds.some((path) => pageScriptModule.test(path))) continue
    const renamed = /^(?:export )?(?:async )?(?:function|class|const|let) (\w+\$\d+)/m.exec(code)?.[1]
    if (renamed) throw new Error(`${moduleIds.join(', ')}: bundling changed a name to ${renamed}`)
  }
}

/** @param {string} path */
function bundleName(path) {
  return relative(sources, join(dirname(path), basename(path, '.ts'))).replaceAll('/', '-')
}
