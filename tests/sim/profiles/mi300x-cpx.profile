# Format: see mi210.profile. Partition 0 is the PCI device; 1 to 7 are platform devices amdgpu_xcp_N with drm minors only.
include mi300x.profile
description = Instinct MI300X cut into 8 partitions (CPX, NPS4): one PCI device and 8 KFD nodes each, gpu_metrics 1.6
partitions = 8
file current_compute_partition = CPX
file current_memory_partition = NPS4
gm xcp_gfx_busy_inst = each $busy_pct
gm xcp_jpeg_busy = each 0*4
gm xcp_vcn_busy = each 0
gm xcp_gfx_busy_acc = each $busy_acc_pct
kfd simd_count = 152
kfd caches_count = 80
kfd array_count = 4
kfd num_xcc = 1
kfd num_sdma_xgmi_engines = 0
