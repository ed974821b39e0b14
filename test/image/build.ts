import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { provideBase } from './base.ts'
import { instructionsOf } from './dockerfile.ts'
import { ask, askBuildah, buildah, folder, run } from './programs.ts'

export const image = 'localhost/winnow:image-test'
const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the Dockerfile of the last commit from a clean clone, so that uncommitted changes have no effect. */
export function buildFromClone(): void {
  const clone = join(folder, 'clone')
  rmSync(clone, { recursive: true, force: true })
  run('git', ['clone', '--quiet', '--no-local', '--depth', '1', `file://${repository}`, clone])
  console.log(`Commit ${ask('git', ['log', '-1', '--format=%h %s'], clone)}`)
  for (const name of basesOf(join(clone, 'Dockerfile'))) console.log(`Base ${name}: ${provideBase(name)}`)
  buildah('build', '--isolation', 'chroot', '--format', 'docker', '--tag', image, clone)
}

function basesOf(dockerfile: string): Set<string> {
  const froms = instructionsOf(dockerfile).filter(({ name }) => name === 'FROM')
  const stages = new Set(froms.map(({ words }) => words[2]))
  return new Set(froms.map(({ words }) => words[0] ?? '').filter((base) => !stages.has(base)))
}

export function sizeOfImage(): string {
  return askBuildah('images', '--format', '{{.Size}}', image)
}
