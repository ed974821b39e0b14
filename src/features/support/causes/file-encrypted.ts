import { defineCause } from '../cause.ts'
import { failedWith } from '../support-case.ts'

export const fileEncrypted = defineCause({
  name: 'file-encrypted',
  find(facts) {
    if (!failedWith(facts, 'DOCUMENT_ENCRYPTED')) return undefined
    return {
      sureness: 0.97,
      diagnosis: 'The file is encrypted or protected by a password, so its text cannot be read.',
      advice: 'Remove the protection in the program that made the file, and send it again.',
    }
  },
})
