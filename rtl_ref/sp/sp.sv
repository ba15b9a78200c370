// Streaming processor: one lane of the arithmetic of the unit classes sp and sp_mul, fully pipelined.
//
// Computes every operation of sp_types bit by bit as GT200 does, on singles without denormals and on integers of 8, 16
// and 32 bits. FLOAT_MULTIPLY_ADD truncates the product before the addition. Double precision and 64-bit conversions
// belong to the DP unit. What needs several lanes, votes and operations on quads, is not part of a lane.
//
// Interface. Everything is synchronous to the rising edge of clk.
//
//   start       an operation begins in this cycle, with
//   control     what it does: see sp_types
//   source_0..2 x, y and z. Narrow sources may have any upper bits. Immediates and operands from memories arrive here
//               like registers
//   flags_in    {O, C, S, Z} of the condition register that the operation reads
//   address_in  the address register that it reads
//   done        the operation that began DEPTH cycles before has its results in this cycle:
//   value       the 32-bit result; one of 16 bits is zero-extended; 0 for operations that have none
//   flags       {O, C, S, Z}; of moves only VALUE_TO_FLAGS has some, and the range reductions have none
//   address     the 16-bit result of SHIFT_TO_ADDRESS and ADD_TO_ADDRESS, else 0
//
// One operation may begin in every cycle. Operands are latched at the edge that ends their cycle. The clock may stand
// still while no operation is in the pipeline; it needs no edge to stay empty.
//
// DEPTH: registers between start and done. The logic has four segments. Up to a depth of 4 the borders between some of
// them have no registers; beyond 4 the result passes further registers.
//
//   1 multiply, compare, shift   2 align and add; round to integers   3 normalise   4 round, pack
//
// reset is synchronous, active high: the pipeline is empty.
//
// Sources: results and flags as envytools measured them on silicon (hwtest g80_int, g80_fp); truncation of the product:
// Wong et al., ISPASS 2010, and NVIDIA's programming guide 2.3, appendix A. The segments are an assumption.
module sp #(
    parameter int unsigned DEPTH = 8
) (
    input  logic                    clk,
    input  logic                    reset,
    input  logic                    start,
    input  sp_types::control_fields control,
    input  logic [31:0]             source_0,
    input  logic [31:0]             source_1,
    input  logic [31:0]             source_2,
    input  logic [3:0]              flags_in,
    input  logic [15:0]             address_in,
    output logic                    done,
    output logic [31:0]             value,
    output logic [3:0]              flags,
    output logic [15:0]             address
);
  localparam bit CUT_1 = DEPTH >= 3, CUT_2 = DEPTH >= 2, CUT_3 = DEPTH >= 4;
  localparam int unsigned MORE_STAGES = DEPTH > 4 ? DEPTH - 4 : 0;

  logic [DEPTH-1:0] busy_q;
  always_ff @(posedge clk) begin
    if (reset) busy_q <= '0;
    else busy_q <= DEPTH'({busy_q, start});
  end
  assign done = busy_q[DEPTH-1];

  // Operands.
  sp_types::control_fields control_1, control_2, control_3, control_4;
  logic [31:0] source_0_q, source_1_q, source_2_q;
  logic [3:0]  flags_in_q;
  logic [15:0] address_in_q;
  always_ff @(posedge clk) begin
    control_1    <= control;
    source_0_q   <= source_0;
    source_1_q   <= source_1;
    source_2_q   <= source_2;
    flags_in_q   <= flags_in;
    address_in_q <= address_in;
  end
  sp_cut #(.WIDTH($bits(control_1)), .REGISTERED(CUT_1)) cut_control_1 (.clk, .d(control_1), .q(control_2));
  sp_cut #(.WIDTH($bits(control_2)), .REGISTERED(CUT_2)) cut_control_2 (.clk, .d(control_2), .q(control_3));
  sp_cut #(.WIDTH($bits(control_3)), .REGISTERED(CUT_3)) cut_control_3 (.clk, .d(control_3), .q(control_4));

  // Segment 1.
  sp_types::float_operand x, y, z;
  sp_float_operand operand_x (
      .bits(source_0_q), .negate(control_1.negate[0]), .absolute(control_1.absolute[0]), .operand(x));
  sp_float_operand operand_y (
      .bits(source_1_q), .negate(control_1.negate[1]), .absolute(control_1.absolute[1]), .operand(y));
  sp_float_operand operand_z (.bits(source_2_q), .negate(control_1.negate[2]), .absolute(1'b0), .operand(z));

  logic [47:0] product;
  logic [31:0] integer_product, distance;
  sp_multiplier multiplier (
      .control(control_1), .source_0(source_0_q), .source_1(source_1_q), .significand_0(x.significand),
      .significand_1(y.significand), .product, .integer_product);

  sp_types::lane_result of_compare, of_logic, of_move, of_segment_1;
  sp_compare compare (
      .control(control_1), .source_0(source_0_q), .source_1(source_1_q), .x, .y, .z, .distance,
      .value(of_compare.value), .flags(of_compare.flags));
  sp_logic bitwise_and_shift (
      .control(control_1), .source_0(source_0_q), .source_1(source_1_q), .value(of_logic.value), .flags(of_logic.flags));
  sp_move move (
      .control(control_1), .source_0(source_0_q), .source_1(source_1_q), .flags_in(flags_in_q),
      .address_in(address_in_q), .value(of_move.value), .flags(of_move.flags), .address(of_move.address));
  assign of_compare.address = 16'd0;
  assign of_logic.address   = 16'd0;
  always_comb begin
    case (control_1.operation)
      sp_types::MINIMUM, sp_types::MAXIMUM, sp_types::SET, sp_types::FLOAT_SET, sp_types::FLOAT_MINIMUM,
      sp_types::FLOAT_MAXIMUM, sp_types::FLOAT_SELECT: of_segment_1 = of_compare;
      sp_types::SHIFT_LEFT, sp_types::SHIFT_RIGHT, sp_types::BITWISE: of_segment_1 = of_logic;
      default: of_segment_1 = of_move;
    endcase
  end

  sp_types::float_addends     float_addends, float_addends_2;
  sp_types::integer_addends   integer_addends, integer_addends_2;
  sp_types::conversion_source conversion, conversion_2;
  sp_types::lane_result       result_2;
  sp_float_addends prepare_floats (.control(control_1), .x, .y, .z, .product, .addends(float_addends));
  sp_integer_addends prepare_integers (
      .control(control_1), .source_0(source_0_q), .source_1(source_1_q), .source_2(source_2_q),
      .carry_in(flags_in_q[2]), .product(integer_product), .distance, .addends(integer_addends));
  sp_convert_source prepare_conversion (.control(control_1), .source(source_0_q), .product, .converted(conversion));

  sp_cut #(.WIDTH($bits(float_addends)), .REGISTERED(CUT_1)) cut_floats_1 (.clk, .d(float_addends), .q(float_addends_2));
  sp_cut #(.WIDTH($bits(integer_addends)), .REGISTERED(CUT_1)) cut_integers_1 (
      .clk, .d(integer_addends), .q(integer_addends_2));
  sp_cut #(.WIDTH($bits(conversion)), .REGISTERED(CUT_1)) cut_conversion_1 (.clk, .d(conversion), .q(conversion_2));
  sp_cut #(.WIDTH($bits(of_segment_1)), .REGISTERED(CUT_1)) cut_result_1 (.clk, .d(of_segment_1), .q(result_2));

  // Segment 2.
  sp_types::float_sum       float_sum, float_sum_3;
  sp_types::conversion_step conversion_step, conversion_step_3;
  sp_types::lane_result     of_add, of_convert, of_segment_2, result_3;
  sp_float_add add_floats (.addends(float_addends_2), .sum(float_sum));
  sp_integer_add add_integers (
      .addends(integer_addends_2), .narrow(control_2.narrow && control_2.operation == sp_types::ADD), .saturate(control_2.saturate), .value(of_add.value),
      .flags(of_add.flags));
  sp_convert_integer convert_to_integer (
      .control(control_2), .converted(conversion_2), .value(of_convert.value), .flags(of_convert.flags),
      .step(conversion_step));
  assign of_add.address     = 16'd0;
  assign of_convert.address = 16'd0;
  always_comb begin
    case (control_2.operation)
      sp_types::ADD, sp_types::MULTIPLY, sp_types::MULTIPLY_ADD, sp_types::DISTANCE_ADD: of_segment_2 = of_add;
      sp_types::INTEGER_TO_INTEGER, sp_types::FLOAT_TO_INTEGER, sp_types::REDUCE_SINE, sp_types::REDUCE_POWER:
      of_segment_2 = of_convert;
      default: of_segment_2 = result_2;
    endcase
  end

  sp_cut #(.WIDTH($bits(float_sum)), .REGISTERED(CUT_2)) cut_floats_2 (.clk, .d(float_sum), .q(float_sum_3));
  sp_cut #(.WIDTH($bits(conversion_step)), .REGISTERED(CUT_2)) cut_conversion_2 (
      .clk, .d(conversion_step), .q(conversion_step_3));
  sp_cut #(.WIDTH($bits(of_segment_2)), .REGISTERED(CUT_2)) cut_result_2 (.clk, .d(of_segment_2), .q(result_3));

  // Segment 3.
  sp_types::float_normal float_normal, float_normal_4;
  sp_types::lane_result  result_4;
  logic [31:0]           converted_single, converted_single_4;
  sp_float_normalize normalize_float (.sum(float_sum_3), .normal(float_normal));
  sp_convert_float convert_to_float (.control(control_3), .step(conversion_step_3), .single(converted_single));

  sp_cut #(.WIDTH($bits(float_normal)), .REGISTERED(CUT_3)) cut_floats_3 (.clk, .d(float_normal), .q(float_normal_4));
  sp_cut #(.WIDTH(32), .REGISTERED(CUT_3)) cut_conversion_3 (.clk, .d(converted_single), .q(converted_single_4));
  sp_cut #(.WIDTH($bits(result_3)), .REGISTERED(CUT_3)) cut_result_3 (.clk, .d(result_3), .q(result_4));

  // Segment 4.
  sp_types::lane_result of_float, of_conversion, of_segment_4, result;
  sp_float_round round_float (
      .control(control_4), .normal(float_normal_4), .value(of_float.value), .flags(of_float.flags));
  sp_convert_half convert_to_half (
      .control(control_4), .single(converted_single_4), .value(of_conversion.value), .flags(of_conversion.flags));
  assign of_float.address      = 16'd0;
  assign of_conversion.address = 16'd0;
  always_comb begin
    case (control_4.operation)
      sp_types::FLOAT_ADD, sp_types::FLOAT_MULTIPLY, sp_types::FLOAT_MULTIPLY_ADD: of_segment_4 = of_float;
      sp_types::INTEGER_TO_FLOAT, sp_types::FLOAT_TO_FLOAT: of_segment_4 = of_conversion;
      default: of_segment_4 = result_4;
    endcase
  end
  sp_delay #(.WIDTH($bits(of_segment_4)), .STAGES(MORE_STAGES)) more_stages (.clk, .d(of_segment_4), .q(result));

  assign value   = result.value;
  assign flags   = result.flags;
  assign address = result.address;

`ifndef SYNTHESIS
  known_operation: assert property (@(posedge clk) disable iff (reset) start |-> control.operation <= sp_types::FLOAT_TO_FLOAT)
    else $error("sp: operation %0d does not exist", control.operation);
`endif
endmodule
