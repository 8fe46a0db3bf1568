import { createHash } from 'node:crypto'
import type { SecurepayAccount } from './fingerprint.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)

/** `YYYYDDMMHHNNSSKKK000sOOO`, day before month, in GMT. */
function messageTimestamp(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T')
  const [year, month, day] = date.split('-')
  return `${year}${day}${month}${time.replace(/\D/g, '')}000+000`
}

/**
 * A refund message of the Secure XML API, version xml-4.2. Amount in cents; `id` may have any length, the message id is
 * its hash.
 */
export function refundMessage(
  { merchantId, password }: SecurepayAccount,
  refund: { id: string; at: number; cents: number; reference: string; txnId: string },
): string {
  const messageId = createHash('sha1').update(refund.id).digest('hex').slice(0, 30)
  return (
    '<?xml version="1.0" encoding="UTF-8"?><SecurePayMessage><MessageInfo>' +
    `<messageID>${messageId}</messageID><messageTimestamp>${messageTimestamp(refund.at)}</messageTimestamp>` +
    '<timeoutValue>60</timeoutValue><apiVersion>xml-4.2</apiVersion></MessageInfo><MerchantInfo>' +
    `<merchantID>${escaped(merchantId)}</merchantID><password>${escaped(password)}</password></MerchantInfo>` +
    '<RequestType>Payment</RequestType><Payment><TxnList count="1"><Txn ID="1"><txnType>4</txnType>' +
    `<txnSource>23</txnSource><amount>${refund.cents}</amount>` +
    `<purchaseOrderNo>${escaped(refund.reference)}</purchaseOrderNo><txnID>${escaped(refund.txnId)}</txnID>` +
    '</Txn></TxnList></Payment></SecurePayMessage>'
  )
}

/** The text of an element without children; empty if it does not exist. */
export function elementText(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? ''
}
