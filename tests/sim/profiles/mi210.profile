# A profile tells what one kind of card shows. Lines, in any order; `#` starts a comment line:
#
#   KEY = VALUE             of the card as a whole: description, class (server: two sockets and a display of its own),
#                           gpu_metrics (version of the binary table), hive (cards in one XGMI hive), partitions,
#                           connectors, bus (wished PCI bus), kfd_name
#   let NAME = VALUE        a constant for $NAME
#   file PATH = VALUE       a file of the device; hwmon/X lies in hwmon/hwmonN. \n is a line break; one is added at the end
#   clock DOMAIN = LEVELS   MHz; "fine LOW HIGH": any value between; "sleep=N" before them: deep sleep when idle
#   gm FIELD = VALUE...     a field of the table: constant, $NAME_UNIT, or either with *N for N times; "each" in front:
#                           in every partition's record. What is not named is all ones, as from the driver.
#   fault PATH = MODE       that file always answers so: delay=1000ms, enodata, … (modes as in `ctl fault`)
#   model NAME = NUMBER     how the card behaves: idle_W peak_W cap_W idle_C full_C (junction) crit_C edge_below_C
#                           mem_idle_C mem_full_C vram_B gtt_B vram_idle_B gtt_idle_B fan_rpm idle_mV peak_mV
#   throttle_raw power|thermal = BITS, throttle_indep power|thermal = BITS    for $throttle_raw and $throttle_indep
#   kfd NAME = VALUE        a property of its KFD node
#   include FILE            lines of another file; a later line replaces an earlier one of the same name
#   drop KIND NAME          takes a line back
#   second KIND NAME = …    for every second card of the profile only
#
# In a VALUE, $NAME is a `let` constant, or
#   $QUANTITY_UNIT   busy mem_busy mm_busy (pct, cpct: 0.01 %), power (W mW uW), volt (mV), edge junction mem vrgfx vrsoc
#                    vrmem (C mC cC: 0.01 °C), sclk mclk socclk fclk vclk dclk (MHz Hz), fan (rpm), pwm (B), vram gtt (B),
#                    energy (J mJ 2e-16J: 2^-16 J), busy_acc mem_acc (pct), accumulation ppt_residency thermal_residency
#                    hbm_residency (ms), pcie_acc (GBps), xgmi_acc (KB)
#   $clock_DOMAIN    text of pp_dpm_DOMAIN
#   $ecc_BLOCK_ue|ce|de, $throttle_raw, $throttle_indep, $boottime_ns, $firmware_10ns, $partitions, $gpu_metrics,
#   $bdf $unique_id $serial $hive_id $numa $status $power_state

description = Instinct MI210: 64 GiB HBM2e, hives of 4, gpu_metrics 1.3
class = server
gpu_metrics = 1.3
hive = 4
include pci.part
include memory.part
include hwmon-instinct.part
include ras.part
include fw-instinct.part

let device_id = 740f
let DEVICE_ID = 740F
let subsystem_vendor_id = 1002
let subsystem_id = 0c34
let SUBSYS_ID = 1002:0C34
let revision = 0x02
let pci_class = 38000
let modalias = pci:v00001002d0000740Fsv00001002sd00000C34bc03sc80i00
let vbios = 113-D67301-063
let vram_vendor = hynix
let vram_total = 68702699520
let gtt_total = 540912893952
let crit_edge = 100000
let crit_junction = 105000
let crit_mem = 105000
let emergency_edge = 105000
let emergency_junction = 110000
let emergency_mem = 110000
let cap_uW = 300000000
let cap_max_uW = 300000000

file unique_id = $unique_id
file product_name = AMD INSTINCT MI210 (MCM) OAM AC MBA
file product_number = 102-D67301-00
file serial_number = $serial
file fru_id = 113-AMDD67301063
file manufacturer = AMD
file pcie_replay_count = 0
file pcie_bw = 0 0 256
fault pcie_bw = delay=1000ms
file xgmi_device_id = 16
file xgmi_error = 0
file xgmi_hive_info/xgmi_hive_id = $hive_id
file pp_dpm_sclk = $clock_sclk
file pp_dpm_mclk = $clock_mclk
file pp_dpm_socclk = $clock_socclk
file pp_dpm_fclk = $clock_fclk
file pp_dpm_pcie = 0: 16.0GT/s, x16 *
file ras/gpu_vram_bad_pages =

clock sclk = fine 500 1700
clock mclk = 400 700 1200 1600
clock socclk = 1000 1090
clock fclk = 400 1600 1800

model idle_W = 41
model peak_W = 290
model cap_W = 300
model idle_C = 34
model full_C = 78
model crit_C = 105
model edge_below_C = 6
model mem_idle_C = 36
model mem_full_C = 82
model vram_B = 68702699520
model gtt_B = 540912893952
model vram_idle_B = 11317248
model gtt_idle_B = 14454784
model idle_mV = 762
model peak_mV = 1012

throttle_raw power = 1
throttle_raw thermal = 64
throttle_indep power = 1
throttle_indep thermal = 4294967296

gm temperature_edge = $edge_C
gm temperature_hotspot = $junction_C
gm temperature_mem = $mem_C
gm temperature_vrgfx = $vrgfx_C
gm temperature_vrsoc = $vrsoc_C
gm temperature_vrmem = $vrmem_C
gm average_gfx_activity = $busy_pct
gm average_umc_activity = $mem_busy_pct
gm average_socket_power = $power_W
gm energy_accumulator = $energy_2e-16J
gm system_clock_counter = $boottime_ns
gm average_gfxclk_frequency = $sclk_MHz
gm average_uclk_frequency = $mclk_MHz
gm current_gfxclk = $sclk_MHz
gm current_socclk = $socclk_MHz
gm current_uclk = $mclk_MHz
gm throttle_status = $throttle_raw
gm current_fan_speed = 0
gm pcie_link_width = 16
gm pcie_link_speed = 160
gm gfx_activity_acc = $busy_acc_pct
gm mem_activity_acc = $mem_acc_pct
gm temperature_hbm = $mem_C*4
gm firmware_timestamp = $firmware_10ns
gm indep_throttle_status = $throttle_indep

kfd simd_count = 416
kfd caches_count = 217
kfd array_count = 8
kfd cu_per_simd_array = 14
kfd gfx_target_version = 90010
kfd device_id = 29711
kfd num_sdma_xgmi_engines = 3
kfd debug_prop = 470
