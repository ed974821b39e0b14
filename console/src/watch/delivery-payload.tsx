import { Copy } from '../ui/copy.tsx'
import { JsonTree } from '../ui/json-tree.tsx'
import { Failure } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { useDelivery } from './deliveries.ts'

/** What the receiver gets, and where it is. */
export function DeliveryPayload({ id }: { id: string }) {
  const { data, error, isPending } = useDelivery(id)
  if (isPending) return <Loading what="Reading what was sent" />
  if (error) return <Failure error={error} />
  return (
    <>
      <h3>What is sent</h3>
      {data.url !== undefined && (
        <p>
          to <code>{data.url}</code>
        </p>
      )}
      {data.payload === undefined ? (
        <p className="quiet">It is not kept any more.</p>
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
