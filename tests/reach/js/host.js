// What the server and the client have in common.
import './promise.js'
import { parseArgs } from 'node:util'
import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { identify } from '@libp2p/identify'
import { kadDHT, passthroughMapper } from '@libp2p/kad-dht'
import { ping } from '@libp2p/ping'
import { tcp } from '@libp2p/tcp'
import { createLibp2p } from 'libp2p'

// Options '--like-this VALUE' as { likeThis: VALUE }, with these defaults.
export function arguments_ (defaults) {
  const dashed = (name) => name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [dashed(name), { type: 'string' }]))
  const { values } = parseArgs({ options })
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, values[dashed(name)] ?? value]))
}

// A started node over TCP, Noise and Yamux, with a Kademlia DHT.
export function host ({ listen, dht, services = {}, transports = [] }) {
  return createLibp2p({
    addresses: { listen },
    transports: [tcp(), ...transports],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    // Test networks have addresses that are nobody's: the mapper's default and the dialer would leave them out.
    connectionGater: { denyDialMultiaddr: () => false },
    services: {
      identify: identify(),
      ping: ping(),
      dht: kadDHT({ peerInfoMapper: passthroughMapper, ...dht }),
      ...services
    }
  })
}
