import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { featureEdges, folders } from '../test/import-rules.ts'

type Sources = Map<string, string>

function findViolations(sources: Sources): string[] {
  return [
    ...findWrongImports(sources),
    ...findCycles(sources),
    ...findBrokenRules(sources),
    ...findBareListeners(sources),
  ]
}

/** Events with data from outside: requests, messages, and events of pages and other processes. */
const externalEvents = [
  ...['upgrade', 'request', 'connect', 'connection', 'message', 'notification', 'response', 'data', 'popup'],
  ...['dialog', 'download', 'framenavigated', 'page', 'file', 'field', 'requestfinished', 'requestfailed'],
]
// An exception in one of our threads or child processes ends only that one, and its parent is notified.
const externalListener = new RegExp(
  `(?<!parentPort\\?|process)\\.on(?:ce)?\\(\\s*'(?:${externalEvents.join('|')})',\\s*(\\w+|\\()`,
  'g',
)

/** Returns listeners that could throw an uncaught exception: see platform/functions.ts. */
function findBareListeners(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    [...source.matchAll(externalListener)]
      .map(([, name = '']) => name)
      // Functions that settle a promise do not throw.
      .filter((name) => !['listener', 'resolve', 'reject'].includes(name))
      .filter((name) => !source.includes(`const ${name} = listener(`))
      .map((name) => `${path}: ${name} hears events from outside and is not made by listener()`),
  )
}

function getArea(path: string): string {
  return (path.includes('/') ? path.slice(0, path.indexOf('/')) : path).replace(/\.ts$/, '')
}

function getImports(path: string, source: string): string[] {
  const matches = source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)
  return [...matches].map(([, target]) => join(dirname(path), target ?? ''))
}

/** Returns the files that a program loads statically or dynamically. Type imports do not exist at run time. */
function findLoadedFiles(sources: Sources, program: string): Set<string> {
  const loaded = new Set([program])
  for (const path of loaded)
    for (const [, staticPath, dynamicPath] of (sources.get(path) ?? '').matchAll(runtimeImport))
      loaded.add(join(dirname(path), staticPath ?? dynamicPath ?? ''))
  return loaded
}

const runtimeImport = /^(?:import|export) (?!type )[^'"]*?'(\.[^']+)'|(?<!typeof )import\('(\.[^']+)'\)/gm

function findWrongImports(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    getImports(path, source)
      .filter((target) => !mayImport(path, target))
      .map((target) => `${path} imports ${target}`),
  )
}

function mayImport(path: string, target: string): boolean {
  const [from, to] = [getArea(path), getArea(target)]
  if (from !== to) return folders.indexOf(to) > folders.indexOf(from)
  if (from !== 'features') return true
  const isSameFeature = featureOf(path) === featureOf(target)
  return isSameFeature || Object.keys(featureEdges).some((edge) => target.startsWith(`features/${edge}`))
}

const featureOf = (path: string) => path.split('/')[1]?.replace(/\.ts$/, '')

function findCycles(sources: Sources): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const cyclePaths: string[] = []
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      cyclePaths.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`)
      return
    }
    state.set(path, 'open')
    for (const target of getImports(path, sources.get(path) ?? '')) visit(target, [...trail, path])
    state.set(path, 'done')
  }
  for (const path of sources.keys()) visit(path, [])
  return cyclePaths
}

const rules: { message: string; holds: (path: string) => boolean; never: RegExp }[] = [
  {
    message: 'content and extraction do no input or output',
    holds: (path) => /^(content|extraction\/(?!workers\/|formats\/))/.test(path),
    never: /'node:(fs|net|http|https|dns|child_process|timers|worker_threads)|Date\.now|setTimeout|\bfetch\(/,
  },
  {
    message: 'features do not use HTTP',
    holds: (path) => path.startsWith('features/'),
    never: /fastify|api\/endpoint/,
  },
  {
    message: 'SQL is only in the store and in the search index',
    holds: (path) => !/^(store|search\/index)\//.test(path),
    never: /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/,
  },
  {
    message: 'only bootstrap reads settings',
    holds: (path) => !path.startsWith('bootstrap/'),
    never: /from '[./]*settings\.ts'/,
  },
  {
    message: 'only settings.ts reads the environment',
    holds: (path) => path !== 'bootstrap/settings.ts',
    never: /process\.env/,
  },
  {
    message: 'only platform/temporary-files.ts creates temporary files and streams to files',
    holds: (path) => !['platform/temporary-files.ts', 'bootstrap/temporary-folder.ts'].includes(path),
    never: /\b(?:mkdtemp(?:Sync)?|createWriteStream)\b|\.toFile\(/,
  },
  {
    message: 'only the file of a document type and its converter name the type',
    holds: (path) => /^documents\/[^/]+$/.test(path) && !converters.includes(path),
    never: /\b(?:type|promised|labelled|found)\.name [!=]==/,
  },
]

/** Converters may distinguish their own types. */
const converters = ['word', 'spreadsheet', 'slides', 'delimited'].map((name) => `documents/${name}.ts`)

function findBrokenRules(sources: Sources): string[] {
  return rules.flatMap(({ message, holds, never }) =>
    [...sources]
      .filter(([path, source]) => holds(path) && never.test(source))
      .map(([path]) => `${path}: ${message}`),
  )
}

function readSources(folder = '.', root = import.meta.dirname): Sources {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.(?:tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(?:node_modules|dist)\//.test(path))
  return new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Folders from which code outside of `src/` may import: programs next to the service, and development tools. */
const allowedAreas: Record<string, string[]> = {
  client: [],
  console: ['client'],
  prepare: [],
  tools: ['src'],
  test: ['src', 'client'],
  bench: ['src', 'test'],
}

function findOutsideViolations(sources: Sources): string[] {
  const wrongImportPaths = [...sources].flatMap(([path, source]) =>
    getImports(path, source)
      .filter((target) => ![getArea(path), ...(allowedAreas[getArea(path)] ?? [])].includes(getArea(target)))
      .map((target) => `${path} imports ${target}`),
  )
  return [...wrongImportPaths, ...findCycles(sources)]
}

/** Returns the areas that each area imports. */
function importedAreas(sources: Sources): Map<string, Set<string>> {
  const areas = new Map(folders.map((area) => [area, new Set<string>()]))
  for (const [path, source] of sources) {
    for (const target of getImports(path, source)) {
      if (getArea(target) !== getArea(path)) areas.get(getArea(path))?.add(getArea(target))
    }
  }
  return areas
}

function renderImportsPage(sources: Sources): string {
  const sortAreas = (targets: Set<string>) => folders.filter((folder) => targets.has(folder))
  const edges = [...importedAreas(sources)].map(([area, targets]) => [area, sortAreas(targets)] as const)
  const rows = edges.map(([area, targets]) => `| \`${area}\` | ${targets.join(', ') || 'nothing'} |`)
  const edgeLines = edges.flatMap(([area, targets]) => targets.map((target) => `  ${area} --> ${target}`))
  const shared = Object.entries(featureEdges).map(([edge, why]) => `| \`${edge}\` | ${why} |`)
  return `# Imports

Written by \`src/architecture.test.ts\` (\`npx vitest run --project unit src/architecture.test.ts -u\`) from the imports of \`src/\`,
including type imports and dynamic imports. Each folder imports only from folders below it.

| Folder | Imports |
| ------ | ------- |
${rows.join('\n')}

Between features, only these imports are allowed (\`test/import-rules.ts\`):

| \`features/\` | Reason |
| ----------- | ------ |
${shared.join('\n')}

\`\`\`mermaid
graph TD
${edgeLines.join('\n')}
\`\`\`
`
}

describe('architecture', () => {
  const sources = readSources()

  it('lists every folder in the import rules', () => {
    expect(new Set([...sources.keys()].map(getArea))).toEqual(new Set(folders))
  })

  it('has imports in one direction only', () => {
    expect(findViolations(sources)).toEqual([])
  })

  it.each(['extraction/workers/thread.ts', 'documents/worker.ts'])('does not load zod in %s', (program) => {
    const loaded = [...findLoadedFiles(sources, program)]
    expect(loaded.length).toBeGreaterThan(50)
    // Each thread and converter would otherwise take 13 MB and 80 ms more.
    expect(loaded.filter((path) => /^import (?!type ).*'zod'/m.test(sources.get(path) ?? ''))).toEqual([])
  })

  it.each(Object.keys(allowedAreas))('has imports of %s in one direction only', (folder) => {
    const sources = readSources(folder, join(import.meta.dirname, '..'))
    // Contains sources of new members as text.
    sources.delete('test/newcomer/members.ts')
    expect(sources.size).toBeGreaterThan(5)
    expect(findOutsideViolations(sources)).toEqual([])
  })

  it('reports a forbidden import of a program outside of src', () => {
    const sample = new Map([
      ['client/src/winnow.ts', "import { parse } from '../../src/content/tree/parse.ts'"],
    ])
    expect(findOutsideViolations(sample)).toEqual([
      expect.stringContaining('client/src/winnow.ts imports src/'),
    ])
  })

  it('is drawn in docs/imports.md', async () => {
    await expect(renderImportsPage(sources)).toMatchFileSnapshot('../docs/imports.md')
  })

  it.each([
    ['a type import upwards', 'platform/url.ts', "import type { App } from '../api/app.ts'"],
    [
      'a driver named below bootstrap',
      'store/jobs/jobs.ts',
      "import { s3Blobs } from '../../bootstrap/store.ts'",
    ],
    ['one feature in another', 'features/usage.ts', "import { scrape } from './scrape/scrape.ts'"],
    ['input or output in content', 'content/links.ts', "import { readFileSync } from 'node:fs'"],
    ['SQL in a feature', 'features/usage.ts', "store.query.selectFrom('jobs')"],
    ['a type of file named by others', 'documents/sniff.ts', "if (promised.name === 'doc') return"],
    ['a stream to a file made elsewhere', 'api/body/multipart.ts', "createWriteStream('/tmp/file')"],
    ['the environment read elsewhere', 'jobs/runner.ts', 'process.env.PORT'],
    ['a listener that may throw', 'api/server.ts', "server.on('upgrade', (request) => new URL(request.url))"],
    ['a dynamic import upwards', 'store/jobs/jobs.ts', "await import('../../jobs/runner.ts')"],
  ])('reports %s', (_, path, sample) => {
    const changed = new Map(sources).set(path, `${sample}\n${sources.get(path)}`)
    expect(findViolations(changed).join('\n')).toContain(path)
  })

  it('reports a cycle between files', () => {
    const changed = new Map([
      ['platform/left.ts', "import './right.ts'\nexport { a } from './right.ts'"],
      ['platform/right.ts', "export { b } from './left.ts'"],
    ])
    expect(findViolations(changed)).toEqual([expect.stringContaining('cycle: platform/left.ts')])
  })
})
