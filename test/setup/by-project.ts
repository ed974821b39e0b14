import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Sorts test files so that the files of a project follow each other, even when they are shuffled. A worker serves one
 * project and ends if the next file belongs to another project. The new worker must load everything again.
 */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence
    // For a custom sequencer, Vitest does not pass the option that shuffles files.
    const isShuffled = shuffle || process.argv.includes('--sequence.shuffle.files')
    // Without shuffling, the files of a project are already together, the longest first.
    if (!isShuffled) return super.sort(files)
    const sortKeys = new Map(
      files.map((file) => {
        const chance = createHash('sha256').update(`${seed} ${file.moduleId}`).digest('hex')
        return [file, `${file.project.name} ${chance}`]
      }),
    )
    const sortKey = (file: TestSpecification) => sortKeys.get(file) ?? ''
    return files.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
  }
}
