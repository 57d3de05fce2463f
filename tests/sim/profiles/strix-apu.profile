# Format: see mi210.profile. Temperatures in 0.01 °C, activity in whole %, power in mW; in0 and in1 read 0.
description = Strix Point APU (Radeon 890M): 512 MiB carve-out, gpu_metrics 3.0
include apu.part
gpu_metrics = 3.0
bus = 193

let device_id = 150e
let DEVICE_ID = 150E
let subsystem_vendor_id = 17aa
let subsystem_id = 3801
let SUBSYS_ID = 17AA:3801
let revision = 0xc4
let class = 038000
let pci_class = 38000
let modalias = pci:v00001002d0000150Esv000017AAsd00003801bc03sc80i00
let vbios = 113-STRIXEMU-001
let vram_total = 536870912
let gtt_total = 16441004032
file hwmon/in0_input = 0
file hwmon/in1_input = 0
drop file boot_vga

clock sclk = fine 600 2900
clock mclk = 400 800 1000
clock socclk = 600 736 883 981 1104 1261 1472
clock fclk = 400 1050 1200 1400 1500 1600 1800 1960

model idle_W = 9
model peak_W = 48
model cap_W = 54
model idle_C = 38
model full_C = 84
model vram_B = 536870912
model gtt_B = 16441004032
model vram_idle_B = 398458880
model gtt_idle_B = 946811392

gm temperature_gfx = $edge_cC
gm temperature_soc = $vrgfx_cC
gm temperature_core = $edge_cC*16
gm temperature_skin = 3598
gm average_gfx_activity = $busy_pct
gm average_vcn_activity = $mm_busy_pct
gm average_ipu_activity = 0*8
gm average_core_c0_activity = 5*16
gm average_dram_reads = 2504
gm average_dram_writes = 637
gm average_ipu_reads = 0
gm average_ipu_writes = 0
gm system_clock_counter = $boottime_ns
gm average_socket_power = $power_mW
gm average_ipu_power = 0
gm average_apu_power = $power_mW
gm average_gfx_power = 1536
gm average_dgpu_power = 0
gm average_all_core_power = 2499
gm average_core_power = 156*16
gm average_sys_power = 63536
gm average_gfxclk_frequency = $sclk_MHz
gm average_socclk_frequency = $socclk_MHz
gm average_vpeclk_frequency = 800
gm average_ipuclk_frequency = 12
gm average_fclk_frequency = $fclk_MHz
gm average_vclk_frequency = 800
gm average_uclk_frequency = $mclk_MHz
gm average_mpipu_frequency = 6
gm current_coreclk = 3295*16
gm current_core_maxfreq = 5050
gm current_gfx_maxfreq = 2900
gm throttle_residency_prochot = 28
gm throttle_residency_spl = 1868
gm throttle_residency_fppt = $ppt_residency_ms
gm throttle_residency_sppt = 257
gm throttle_residency_thm_core = 1795
gm throttle_residency_thm_gfx = $thermal_residency_ms
gm throttle_residency_thm_soc = 0
gm time_filter_alphavalue = 1000000

kfd gfx_target_version = 110500
kfd device_id = 5390
kfd max_engine_clk_fcompute = 2900
kfd fw_version = 32
