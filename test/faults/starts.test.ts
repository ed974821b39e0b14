import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { runCommand, startService, temporaryFolder } from '../service.ts'
import { isWhole } from './faults.ts'

const folder = temporaryFolder()
const blobs = {
  BLOBS_URL: 's3://x?endpoint=http://127.0.0.1:1',
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
}
const taken = createServer()
let postgres: PostgresServer
let port: number
beforeAll(async () => {
  postgres = await startPostgres()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(async () => {
  taken.close()
  await postgres.stop()
  folder.remove()
})

const fresh = () => mkdtempSync(join(folder.path, 'data-'))

/** Starts the service as it would be started, and says how that ended. */
async function start(environment: Record<string, string>) {
  const { code, stdout, stderr } = await runCommand([], { DATA_DIR: fresh(), PORT: '0', ...environment })
  return { code, text: (stdout + stderr).trim() }
}

function expectOneLine({ code, text }: { code: number | null; text: string }, words: RegExp): void {
  expect(text).toMatch(words)
  expect({ code, lines: text.split('\n').length }).toEqual({ code: 1, lines: 1 })
}

describe('a start that cannot work says what to do', () => {
  it('about a port that is taken', async () => {
    expectOneLine(await start({ PORT: String(port) }), /Port \d+ .*in use/)
  })

  it('about an address that is not of this machine', async () => {
    expectOneLine(await start({ HOST: '203.0.113.7' }), /HOST=203\.0\.113\.7/)
  })

  it('about a database that does not answer', async () => {
    const DATABASE_URL = 'postgres://u:secret@127.0.0.1:1/x'
    const ended = await start({ DATABASE_URL, ...blobs })
    expectOneLine(ended, /DATABASE_URL cannot be used: the server does not answer \(127\.0\.0\.1:1\/x\)/)
    expect(ended.text).not.toContain('secret')
  })

  it('about a wrong password, and about a database that is not there', async () => {
    const wrong = Object.assign(new URL(postgres.url), { password: 'wrong' }).href
    expectOneLine(await start({ DATABASE_URL: wrong, ...blobs }), /password is wrong/)
    const absent = Object.assign(new URL(postgres.url), { pathname: '/absent' }).href
    expectOneLine(await start({ DATABASE_URL: absent, ...blobs }), /database does not exist/)
  })

  it('about a folder that is a file', async () => {
    const file = join(fresh(), 'file')
    writeFileSync(file, '')
    expectOneLine(await start({ DATA_DIR: file }), /DATA_DIR=.*file/)
    expectOneLine(await start({ DATA_DIR: join(file, 'below') }), /DATA_DIR=.*file/)
  })

  it('about a folder that cannot be written', async () => {
    // Nothing can be made there, not even by root.
    expectOneLine(await start({ DATA_DIR: '/sys/winnow' }), /DATA_DIR=\/sys\/winnow cannot be used/)
  })

  it('about a temporary folder that cannot be written', async () => {
    // Not even root can create a folder there.
    expectOneLine(await start({ TMPDIR: '/proc' }), /TMPDIR=\/proc cannot be used/)
  })

  it('about a damaged database', async () => {
    const data = fresh()
    writeFileSync(join(data, 'winnow.sqlite'), 'x'.repeat(100_000))
    expectOneLine(await start({ DATA_DIR: data }), /winnow\.sqlite is damaged/)
  })

  it('about a store of a newer program', async () => {
    const data = fresh()
    await (await startService({ DATA_DIR: data })).stop()
    const database = new DatabaseSync(join(data, 'winnow.sqlite'))
    database.exec("insert into kysely_migration values ('9999-later', '2027-01-01')")
    database.close()
    expectOneLine(await start({ DATA_DIR: data }), /newer version/)
  })

  const wrongPaths = ['/bin/true', '/nowhere/chromium', '/tmp']
  it.each(isWhole ? wrongPaths : wrongPaths.slice(0, 1))('about a CHROMIUM_PATH that is %s', async (path) => {
    expectOneLine(await start({ CHROMIUM_PATH: path }), /CHROMIUM_PATH=\S+ cannot be used/)
  })
})
