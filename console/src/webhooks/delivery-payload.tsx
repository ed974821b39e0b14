import { Copy } from '../ui/copy.tsx'
import { JsonTree } from '../ui/json-tree.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { useDelivery } from './deliveries.ts'

/** Payload of a delivery and the URL of its receiver. */
export function DeliveryPayload({ id }: { id: string }) {
  const { data, error, isPending } = useDelivery(id)
  if (isPending) return <Loading label="Loading payload" />
  if (error) return <ErrorNotice error={error} />
  return (
    <>
      <h3>Payload</h3>
      {data.url !== undefined && (
        <p>
          to <code>{data.url}</code>
        </p>
      )}
      {data.payload === undefined ? (
        <p className="quiet">The payload is no longer stored.</p>
      ) : (
        <>
          <JsonTree value={data.payload} />
          <div>
            <Copy text={JSON.stringify(data.payload, null, 2)} name="Copy as JSON" />
          </div>
        </>
      )}
    </>
  )
}
