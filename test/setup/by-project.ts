import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files of a project follow each other, also when they are shuffled. A worker serves one project and ends when the
 * next file belongs to another; the new one has everything to load again.
 */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence
    // Vitest hands on only whether tests are shuffled where the sequencer is not its own.
    const isShuffled = shuffle || process.argv.includes('--sequence.shuffle.files')
    // In order, the files of a project are together already, the longest first.
    if (!isShuffled) return super.sort(files)
    const places = new Map(
      files.map((file) => {
        const chance = createHash('sha256').update(`${seed} ${file.moduleId}`).digest('hex')
        return [file, `${file.project.name} ${chance}`]
      }),
    )
    const place = (file: TestSpecification) => places.get(file) ?? ''
    return files.toSorted((one, other) => (place(one) < place(other) ? -1 : 1))
  }
}
