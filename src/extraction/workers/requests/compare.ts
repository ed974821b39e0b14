import { createUnifiedDiff, isSameText, valueChanges } from '../../../content/diff.ts'
import type { ComparedVersions, CompareRequestMessage } from '../messages.ts'
import { createPartSerializer } from '../serialize-parts.ts'

export function compare(request: CompareRequestMessage): ComparedVersions {
  const { showsDifference, values, maxBytes } = request
  const [previous, current] = [decode(request.previous), decode(request.current)]
  const { json } = createPartSerializer(maxBytes)
  const isSame = isSameText(previous, current)
  const diff = isSame || !showsDifference ? undefined : createUnifiedDiff(previous, current)
  const valueDiff = values && valueChanges(decode(values.previous), decode(values.current))
  return {
    isSame,
    difference: diff && { text: json(diff.text), files: json(diff.files) },
    values: valueDiff && { ...valueDiff, changes: json(valueDiff.changes) },
  }
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
