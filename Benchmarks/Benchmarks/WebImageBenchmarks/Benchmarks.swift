// The names end up in Report's table of targets. A control has the name of what it is held against with " (C)" behind,
// so that the two run one after the other.
let benchmarks: @Sendable () -> Void = {
    memoryBenchmarks()
    diskBenchmarks()
    otherDiskBenchmarks()
    pipelineBenchmarks()
    bindingBenchmarks()
    sharingBenchmarks()
    networkBenchmarks()
    decodeBenchmarks()
    previewBenchmarks()
    thumbnailBenchmarks()
    playbackBenchmarks()
    resampleBenchmarks()
    processingBenchmarks()
}
